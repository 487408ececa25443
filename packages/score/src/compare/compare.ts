/**
 * Comparison by meaning (StateEval, section III-F): the same JSON values up to one bijection of ids,
 * consistent over RESULT and the final world state of an input.
 */
import { type ValueDifference, maxDepth, type WorldState } from '@stateeval/contracts'
import type { ComparisonRules } from '@stateeval/program'
import { explain } from './explain.ts'
import { Ids } from './ids.ts'
import { Matching } from './matching.ts'
import { type Side, sideOf } from './occurrences.ts'
import { search } from './search.ts'
import { limits, sizeOf, tooLarge } from './size.ts'
import { markUnordered } from './unordered.ts'
import { usualWork, WorkBoundPassed } from './work-bound.ts'

/** The result of a run: RESULT, and the content of its world. */
export interface ComparedOutcome {
  result: unknown
  world: WorldState
}
type Compared = { equal: true } | { equal: false; differences: ValueDifference[] }

/**
 * Tells whether two runs of one input are equivalent. Ids of initial items denote the same items in both.
 * Created ids correspond by content (live items by their final content, deleted ones by their last) and by
 * their uses. Key order never counts; list order always does, except in the comparison's unordered lists. Any
 * input ends within the work bound.
 */
export function compare(
  expected: ComparedOutcome,
  actual: ComparedOutcome,
  comparison: ComparisonRules,
  work = usualWork(),
): Compared {
  const sizes = [expected.result, expected.world.state, actual.result, actual.world.state].map(sizeOf)
  if (sizes.some(tooLarge))
    return undecided(
      `what was compared has more than ${limits.nodes} values, or is nested deeper than ${limits.depth} levels`,
    )
  const depth = Math.max(sizes[0]?.depth ?? 0, sizes[2]?.depth ?? 0)
  if (depth > maxDepth) return undecided(`RESULT is nested more than ${maxDepth} levels deep`)
  const sameSize = sizes[0]?.nodes === sizes[2]?.nodes && sizes[1]?.nodes === sizes[3]?.nodes
  try {
    if (sameSize) {
      const [ours, theirs] = [expected, actual].map(({ result, world }) =>
        sideOf(result, world, new Ids(world, { isStrict: true })),
      ) as [Side, Side]
      const matching = new Matching(ours, theirs, comparison, work)
      if (matching.unify(document(expected, comparison), document(actual, comparison)) && search(matching))
        return { equal: true }
    }
  } catch (error) {
    if (!(error instanceof WorkBoundPassed)) throw error
    return undecided('the ids of both runs could not be matched within the bound on work')
  }
  return { equal: false, differences: explain(expected, actual, comparison) }
}

const document = ({ result, world }: ComparedOutcome, comparison: ComparisonRules) => [
  result,
  markUnordered(world.state, comparison),
]
const undecided = (says: string): Compared => ({ equal: false, differences: [{ where: 'result', says }] })
