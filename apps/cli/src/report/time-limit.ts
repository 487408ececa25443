/** Samples that run out of time: worth a word where they are many, as the limit then decides the rate. */
import { percent } from './format.ts'

const usual = '10 s by default'

/** null where too few samples ran into their limit. `timeLimit` is the evaluation's own, in seconds. */
export function timeLimitNote(
  { scored, timeouts }: { scored: number; timeouts: number },
  timeLimit?: number,
): string | null {
  if (timeouts < 3 || timeouts < scored / 5) return null
  return (
    `${timeouts} of ${scored} scored samples (${percent(timeouts / scored)}) ran into their time limit ` +
    `(${timeLimit === undefined ? usual : `${timeLimit} s`}), which counts as failed. Another limit: evaluate with --time-limit SECONDS.`
  )
}
