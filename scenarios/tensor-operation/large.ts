/**
 * Worlds whose bound is above what a tensor may have that travels. There tensors are drawn to fill the bound,
 * initial values stay seeds, and large results stand summarized (docs/decisions/large-tensors.md).
 */
import type { JsonValue, Language, ExecutionLimits, Program } from '@stateeval/contracts'
import { maxElements, listInputs, interpret, type Scenario } from '@stateeval/program'
import { count } from './reference/array.ts'
import { toStateTensor, type TensorWorld } from './state.ts'

export const isLarge = (elements: number) => elements > maxElements

/** Elements of a tensor whose values still travel in such a world: more take no less than a summary does. */
export const carriedElements = 4096

const mib = 2 ** 20
/** That a run may be given. */
const longestSeconds = 600

/**
 * The limits of a program in a large world; undefined elsewhere. Time grows with its tensors; memory of the
 * jail, too, where tensors are computed in it: twice as much as the program's own, so that another order of
 * calls has room.
 */
export function computeLargeLimits(
  program: Program,
  language: Language,
  scenario: Scenario<TensorWorld>,
): Partial<ExecutionLimits> | undefined {
  const { elements } = scenario.open(program.world as JsonValue)
  if (!isLarge(elements)) return undefined
  const inputs = listInputs(program)
  const bytes = Math.max(...inputs.map((input) => 4 * countRunElements(program, input, scenario)))
  const seconds = Math.min(longestSeconds, 60 + Math.ceil(bytes / mib / 5))
  return {
    wallMs: seconds * 1000,
    cpuSeconds: Math.min(longestSeconds, seconds * inputs.length),
    ...(language === 'python' && { memoryMiB: 512 + 2 * Math.ceil(bytes / mib) }),
  }
}

/** Counts all elements of a run. */
function countRunElements(
  program: Program,
  input: ReturnType<typeof listInputs>[number],
  scenario: Scenario<TensorWorld>,
): number {
  let sum = 0
  const add = (value: unknown) => {
    for (const one of Array.isArray(value) ? value : [value]) {
      const tensor = toStateTensor(one)
      if (tensor) sum += count(tensor.shape)
    }
  }
  Object.values(input.variables).forEach(add)
  interpret(program, scenario, input, (_, { output }) => add(output))
  return sum
}
