/**
 * Honest answers that exceed their time limit after the attempts. Either an attempt left something that slows
 * later runs, or the machine is busy. The same answers after honest ones tell which.
 */
import type { ScoredSample } from '@stateeval/contracts'
import type { Leftover } from './outcome.ts'

export const isLate = (one: ScoredSample | undefined): boolean => one?.score?.verdict === 'timeout'

/** Answers that are late now and were not before. */
const findDelays = (before: readonly ScoredSample[], now: readonly ScoredSample[]): Leftover[] =>
  now.filter(isLate).flatMap(({ case: id, sample }) => {
    const earlier = before.find((one) => one.case === id && one.sample === sample)
    if (!earlier?.score || isLate(earlier)) return []
    return [{ case: id, sample, before: earlier.score.passed ? 'passed' : 'failed', after: 'timeout' }]
  })

interface DelayTrial {
  /** Scores the honest answers. */
  scoreHonest(this: void): Promise<readonly ScoredSample[]>
  repeatAttempts(this: void): Promise<unknown>
}

/** After the attempts, something must be late so often, and never after honest answers. */
export const delayRounds = 3
/** What an attempt left may last for a while. */
const settlingRuns = 5

/**
 * Repeats the attempts after which honest answers were late. Returns the answers that are late after each
 * repetition, none if one of these had no effect, or null if the machine is too busy to tell: then answers
 * are also late after honest ones, or do not stop being late.
 */
export async function confirmDelays(
  before: readonly ScoredSample[],
  after: readonly ScoredSample[],
  { scoreHonest, repeatAttempts }: DelayTrial,
): Promise<Leftover[] | null> {
  const isQuiet = async () => findDelays(before, await scoreHonest()).length === 0
  const settle = async () => {
    for (let run = 0; run < settlingRuns; run++) if (await isQuiet()) return true
    return false
  }
  let delays = findDelays(before, after)
  for (let round = 1; round < delayRounds && delays.length > 0; round++) {
    // The first quiet run was chosen among several; only the run after it tells how busy the machine is.
    if (!(await settle()) || !(await isQuiet())) return null
    await repeatAttempts()
    delays = findDelays(before, await scoreHonest())
  }
  return delays
}
