/**
 * Rules of comparison: how exactly RESULT counts. The more terms a program sums up, the more its rounding may
 * differ.
 */
import type { Call, Program } from '@stateeval/contracts'
import {
  type ComparisonRules,
  listExecutionPaths,
  countFanIn,
  buildInput,
  interpret,
  type Scenario,
} from '@stateeval/program'
import { toStateTensor, type TensorWorld } from './state.ts'

/**
 * For an unknown program: as many terms as ten convolutions of the largest kernels and channels that
 * are drawn.
 */
const usualTerms = 1024

export const compare: ComparisonRules = {
  relativeTolerance: 1e-6,
  unordered: [],
  noun: 'tensor',
  reduction: usualTerms,
}

/** The terms that are summed up along a path of the program: no element went through more. */
export function chooseComparison(program: Program, scenario: Scenario<TensorWorld>): ComparisonRules {
  const summed = listExecutionPaths(program).map((_, choice) => {
    let terms = 0
    interpret(program, scenario, buildInput(program, choice), ({ api }: Call, { args }) => {
      const weight = toStateTensor(args.weight)
      if ((api === 'linear' || api === 'conv2d') && weight)
        terms += countFanIn(weight.shape) + (args.bias === undefined ? 0 : 1)
    })
    return terms
  })
  return { ...compare, reduction: Math.max(...summed) }
}
