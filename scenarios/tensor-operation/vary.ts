/** Further inputs for a program: tensors of the same shapes with fresh values, and either value of the placeholder. */
import type { Input, Program } from '@stateeval/contracts'
import { cloneJson, type Rng, tensorOf } from '@stateeval/program'
import { asTensor, isWeightName } from './state.ts'
import { drawTensor } from './values.ts'

export function vary(program: Program, rng: Rng): Input {
  const variables = program.variables.map(({ name, values }): [string, unknown] => {
    const tensor = asTensor(values[0])
    if (!tensor) return [name, cloneJson(rng.pick(values))]
    const { dtype, shape, bytes } = drawTensor(
      `${rng.int(0, 0x3fffffff)}.${rng.int(0, 0x3fffffff)}`,
      tensor.shape,
      isWeightName(name),
    )
    return [name, tensorOf(dtype, shape, bytes)]
  })
  return { variables: Object.fromEntries(variables), world: cloneJson(program.world) }
}
