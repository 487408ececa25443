import type { JsonValue, Program } from '@stateeval/contracts'
import { listIfs } from '../../blocks.ts'
import { isCall, createLiteral, type ValuePath, createRef, tensorKey } from '../../expr.ts'
import { isTensorLike } from '../../tensor/value.ts'
import { type MutationOperator, type MutationSite, StepSite } from '../operator.ts'
import { placesOf } from '../positions.ts'

export const constantOutput: MutationOperator = {
  id: 'constant_output',
  about:
    'A call is omitted: a constant of the right form replaces its output, with the value that the condition needs',
  sites(program, facts) {
    const sites: MutationSite[] = []
    for (const [place, step] of placesOf(program)) {
      const answer = isCall(step) && step.binds ? facts?.answers.get(step.binds) : undefined
      if (!isCall(step) || !step.binds || answer === undefined) continue
      const { binds } = step
      const make = () => [
        {
          kind: 'edit' as const,
          target: createRef(binds),
          value: createLiteral(chooseOtherValue(answer, findKeptPath(program, binds))),
        },
      ]
      sites.push(new StepSite(program, place, make, () => `: ${step.api}`, { guessed: answer }))
    }
    return sites
  },
}

/** Finds the part of a variable that a condition reads first: whoever guesses an answer guesses that. */
const findKeptPath = (program: Program, variable: string): ValuePath | null =>
  listIfs(program).find(({ branch }) => branch.condition.variable === variable)?.branch.condition.path ?? null

/** A value of the same form whose parts are others, but for what stands at a path. */
function chooseOtherValue(value: JsonValue, pathToKeep: ValuePath | null): JsonValue {
  if (pathToKeep?.length === 0 && (value === null || typeof value !== 'object')) return value
  if (isTensorLike(value)) return createOtherTensor(value as { $tensor: { [key: string]: JsonValue } })
  const below = (key: string | number) =>
    pathToKeep !== null && pathToKeep[0] === key ? pathToKeep.slice(1) : null
  if (Array.isArray(value)) return value.map((item, index) => chooseOtherValue(item, below(index)))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, chooseOtherValue(item, below(key))]),
    )
  if (typeof value === 'string') return `${value} (guessed)`
  return typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : value
}

/** Shape and dtype can be worked out without a call, elements can't. */
function createOtherTensor({
  $tensor: { dtype, shape },
}: {
  $tensor: { [key: string]: JsonValue }
}): JsonValue {
  return { [tensorKey]: { dtype, shape, of: 'guessed' } } as JsonValue
}
