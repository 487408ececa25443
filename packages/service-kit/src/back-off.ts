/** Trouble that many meet at once, such as a broker that refuses every slot of a consumer. */
import { pauseUnlessAborted } from './time.ts'

interface BackOff {
  /** Waits with all others that have met it, longer each time; resolves early with the signal. */
  met(reason: string, signal?: AbortSignal): Promise<void>
  /** It is over: the next wait is short again. */
  over(): void
}

interface BackOffOptions {
  firstMs?: number
  longestMs?: number
  /**
   * Told of the first wait, and then of those whose number is a power of two; `count`: how many have met it.
   */
  report: (trouble: { reason: string; waits: number; count: number }) => void
}

/** Lets all who meet the same trouble wait together. */
export function createBackOff({ firstMs = 500, longestMs = 8000, report }: BackOffOptions): BackOff {
  let waits = 0
  let count = 0
  let waiting: Promise<void> | undefined
  return {
    met(reason, signal) {
      count++
      if (waiting) return waiting
      const ms = Math.min(longestMs, firstMs * 2 ** waits)
      waits++
      // Powers of two have one bit.
      if ((waits & (waits - 1)) === 0) report({ reason, waits, count })
      return (waiting = pauseUnlessAborted(ms, signal).finally(() => (waiting = undefined)))
    },
    over() {
      waits = 0
      count = 0
    },
  }
}
