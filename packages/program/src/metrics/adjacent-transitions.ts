/** Adjacent transitions: APIs that follow each other along the control flow (StateEval, equation 3). */
import type { Program } from '@stateeval/contracts'
import { isCall } from '../expr.ts'
import { listExecutionPaths } from '../blocks.ts'

/** A pair of API ids as a text, for sets and tables. */
export const formatPair = (from: string, to: string) => `${from} > ${to}`

/**
 * The distinct pairs of a program, in order of appearance. The last call before an if is paired with the
 * first of each branch. The last call of `then` is never paired with the first of `otherwise`, because no
 * run makes one after the other.
 */
export function listAdjacentPairs(program: Program): string[] {
  const pairs: string[] = []
  for (const { steps } of listExecutionPaths(program)) {
    let before: string | undefined
    for (const step of steps) {
      if (!isCall(step)) continue
      const pair = before === undefined ? undefined : formatPair(before, step.api)
      if (pair !== undefined && !pairs.includes(pair)) pairs.push(pair)
      before = step.api
    }
  }
  return pairs
}

interface AdjacentCoverage {
  /** Distinct pairs so far. */
  pairs: number
  /** ATC: their share of M², M being the number of APIs. */
  ofSquare: number
  /** Their share of the pairs that some program can hold, where that number is known. */
  ofFeasible: number | null
}

/** The coverage of a number of distinct pairs. */
export const computeAdjacentCoverage = (
  pairs: number,
  apis: number,
  feasible: number | null = null,
): AdjacentCoverage => ({
  pairs,
  ofSquare: pairs / apis ** 2,
  ofFeasible: feasible === null ? null : pairs / feasible,
})
