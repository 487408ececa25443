/**
 * Comparison by meaning (StateEval, section III-F): the same JSON values up to one bijection of ids,
 * consistent over RESULT and the final world state of an input.
 */
import { type ValueDifference, maxDepth, type WorldState } from '@stateeval/contracts'
import type { ComparisonRules } from '@stateeval/program'
import { explain } from './explain.ts'
import { IdTable } from './ids.ts'
import { maskOutcome } from './masked.ts'
import { ElementMatching } from './matching.ts'
import { type RunSide, buildSide } from './occurrences.ts'
import { search } from './search.ts'
import { limits, measureSize, isTooLarge } from './size.ts'
import { markUnordered } from './unordered.ts'
import { createWorkBound, WorkBoundPassed } from './work-bound.ts'

/** The result of a run: RESULT, and the content of its world. */
export interface ComparedOutcome {
  result: unknown
  world: WorldState
}
type ComparisonVerdict = { equal: true } | { equal: false; differences: ValueDifference[] }

/**
 * Tells whether two runs of one input are equivalent. Ids of initial items denote the same items in both.
 * Created ids correspond by content (live items by their final content, deleted ones by their last) and by
 * their uses. Key order never counts; list order always does, except in the comparison's unordered lists. The
 * comparison of any input ends within the work bound.
 */
export function compare(
  ownOutcome: ComparedOutcome,
  otherOutcome: ComparedOutcome,
  comparison: ComparisonRules,
  work = createWorkBound(),
): ComparisonVerdict {
  const expected = maskOutcome(ownOutcome, comparison)
  const actual = maskOutcome(otherOutcome, comparison)
  const sizes = [expected.result, expected.world.state, actual.result, actual.world.state].map(measureSize)
  if (sizes.some(isTooLarge))
    return createUndecided(
      `what was compared has more than ${limits.nodes} values, or is nested deeper than ${limits.depth} levels`,
    )
  const depth = Math.max(sizes[0]?.depth ?? 0, sizes[2]?.depth ?? 0)
  if (depth > maxDepth) return createUndecided(`RESULT is nested more than ${maxDepth} levels deep`)
  const sameSize = sizes[0]?.nodes === sizes[2]?.nodes && sizes[1]?.nodes === sizes[3]?.nodes
  try {
    if (sameSize) {
      const [ours, theirs] = [expected, actual].map(({ result, world }) =>
        buildSide(result, world, new IdTable(world, { isStrict: true })),
      ) as [RunSide, RunSide]
      const matching = new ElementMatching(ours, theirs, comparison, work)
      if (
        matching.unify(buildDocument(expected, comparison), buildDocument(actual, comparison)) &&
        search(matching)
      )
        return { equal: true }
    }
  } catch (error) {
    if (!(error instanceof WorkBoundPassed)) throw error
    return createUndecided('the ids of both runs could not be matched within the bound on work')
  }
  return { equal: false, differences: explain(expected, actual, comparison) }
}

const buildDocument = ({ result, world }: ComparedOutcome, comparison: ComparisonRules) => [
  result,
  markUnordered(world.state, comparison),
]
const createUndecided = (says: string): ComparisonVerdict => ({
  equal: false,
  differences: [{ where: 'result', says }],
})
