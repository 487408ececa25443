/** A check that costs something, for callers that ask often. */
import { waitAtMost } from './time.ts'

interface OccasionalOptions {
  /** How long a good result counts, in milliseconds. */
  goodMs?: number
  /** How long a bad one counts. */
  badMs?: number
  /** A check that takes longer has failed. */
  longestMs?: number
  now?: () => number
}

/** How long a caller waits for a check under way while an earlier result is known. */
const shortWaitMs = 500

/**
 * Returns the check, made at most once at a time and once in a while. While one is slow, its callers get the
 * last result, so a busy machine does not look like a broken one.
 */
export function checkOccasionally(
  check: () => Promise<void>,
  { goodMs = 5000, badMs = 1000, longestMs = 10_000, now = () => performance.now() }: OccasionalOptions = {},
): () => Promise<void> {
  let last: { error?: Error | undefined; at: number } | undefined
  let running: { since: number; end: Promise<void> } | undefined
  const begin = () => {
    const ended = (error?: Error) => {
      last = { error, at: now() }
      running = undefined
    }
    return (running = {
      since: now(),
      end: check().then(
        () => ended(),
        (error: unknown) => ended(error instanceof Error ? error : new Error(String(error))),
      ),
    })
  }
  return async () => {
    const isFresh = last && now() - last.at < (last.error === undefined ? goodMs : badMs)
    if (!isFresh) {
      const { since, end } = running ?? begin()
      const leftMs = longestMs - (now() - since)
      await waitAtMost(Math.max(0, last ? Math.min(shortWaitMs, leftMs) : leftMs), end)
      if (running && now() - running.since >= longestMs)
        throw new Error(`no answer within ${longestMs / 1000} s`)
    }
    if (last?.error !== undefined) throw last.error
  }
}
