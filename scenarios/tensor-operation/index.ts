/**
 * Tensor operations: six functions of PyTorch whose arguments must fit the shapes that earlier calls made.
 * Nothing is remote; the state that calls depend on are the tensors themselves.
 */
import type { JsonValue } from '@stateeval/contracts'
import { maxLargeElements, type Scenario } from '@stateeval/program'
import { compare, chooseComparison } from './compare.ts'
import { listTensorConditions } from './conditions.ts'
import { documentations } from './documentation/index.ts'
import { computeLargeLimits } from './large.ts'
import { operations } from './operations/index.ts'
import { settleProgram } from './settle.ts'
import { difficulty } from './difficulty.ts'
import { distract } from './distract.ts'
import { leastElements, start } from './start.ts'
import { defaultElements, observeWorld, openWorld, type TensorWorld } from './state.ts'
import { handles, tools } from './tools.ts'
import { varyTensorInput } from './vary.ts'

interface TensorOptions {
  /** The most elements of any tensor in a program, from 64. */
  elements?: number
}

const options = {
  elements: {
    about:
      'Maximum elements of a tensor in a program; above 1048576, tensors are drawn at this size, and large results are compared by summaries',
    minimum: leastElements,
    maximum: maxLargeElements,
    default: defaultElements,
  },
}

/**
 * The scenario within a bound on memory. Throws a RangeError where the bound leaves no room for the APIs, or
 * is above what a tensor may have anywhere.
 */
export function makeTensorOperation({
  elements = defaultElements,
}: TensorOptions = {}): Scenario<TensorWorld> {
  if (!Number.isInteger(elements) || elements < leastElements || elements > maxLargeElements)
    throw new RangeError(
      `elements must be an integer from ${leastElements} to ${maxLargeElements}, not ${String(elements)}`,
    )
  const scenario: Scenario<TensorWorld> = {
    id: 'tensor-operation',
    version: '3',
    title: 'Tensor operation',
    world: 'tensor-operation',
    tensors: true,
    operations,
    start: (rng) => start(elements, rng),
    distract,
    difficulty,
    open: (initial: JsonValue) => openWorld(initial),
    observe: observeWorld,
    edits: () => [],
    conditions: (binding, rng) => listTensorConditions(binding, rng, elements),
    vary: (program, rng, wide) => varyTensorInput(program, scenario, rng, wide),
    compare,
    compareFor: (program) => chooseComparison(program, scenario),
    limitsFor: (program, language) => computeLargeLimits(program, language, scenario),
    settle: settleProgram,
    options,
    withOptions: makeTensorOperation,
    documentation: (language) => documentations[language].whole,
    tools,
    handles,
  }
  return scenario
}

export const tensorOperation = makeTensorOperation()
export default tensorOperation
