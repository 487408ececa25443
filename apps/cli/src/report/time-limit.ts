/** A note on samples that ran out of time. If they are many, the limit determines the rate. */
import { formatShare } from './format.ts'

const usual = '10 s by default'

/** Returns null if few samples reached their limit. `timeLimit` is the evaluation's, in seconds. */
export function describeTimeLimit(
  { scored, timeouts }: { scored: number; timeouts: number },
  timeLimit?: number,
): string | null {
  if (timeouts < 3 || timeouts < scored / 5) return null
  return (
    `${timeouts} of ${scored} scored samples (${formatShare(timeouts / scored)}) ran into their time limit ` +
    `(${timeLimit === undefined ? usual : `${timeLimit} s`}), which counts as failed. To change the limit, evaluate with --time-limit SECONDS.`
  )
}
