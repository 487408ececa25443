/** Distractors: tensors that no call needs. */
import type { RandomSource, ScenarioStart } from '@stateeval/program'
import { createDraft } from './handles.ts'
import { toStateTensor } from './state.ts'

/** By turns one of the shape of a tensor of the program, so that it could stand in its place, and another. */
export function distract(
  { variables, world }: ScenarioStart,
  count: number,
  rng: RandomSource,
): ScenarioStart {
  const shapes = variables.flatMap(({ values }) => toStateTensor(values[0])?.shape ?? [])
  const known = variables.map(({ values }) => toStateTensor(values[0])?.shape ?? [])
  return {
    variables: Array.from({ length: count }, (_, at) => {
      const name = `user_tensor_${variables.length + at}`
      const shape = at % 2 === 0 ? rng.pick(known) : [rng.pick(shapes), rng.int(2, 6)]
      return { name, role: 'user', values: [createDraft(name, shape, rng)] }
    }),
    world,
  }
}
