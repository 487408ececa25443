/**
 * Runs at the start and at an interval: finds in the stored state what a crash interrupted, and requests it
 * again.
 */
import { getErrorText } from './errors.ts'
import type { ServiceLog } from './log.ts'
import { waitAtMost, pauseUnlessAborted } from './time.ts'

interface RunningSweep {
  /** Lets a run that has begun end, for so many milliseconds: what it leaves undone, the next one finds. */
  stop(graceMs: number): Promise<void>
}
interface SweepOptions {
  /** Between the end of a run and the start of the next, in milliseconds. Default: 10 s. */
  everyMs?: number
  log: ServiceLog
}

/** Runs never overlap. A failed run is logged, and the next one tries again. */
export function startSweep(
  run: (signal: AbortSignal) => Promise<void>,
  { everyMs = 10_000, log }: SweepOptions,
): RunningSweep {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = async () => {
    while (!signal.aborted) {
      await run(signal).catch((error: unknown) => {
        if (!signal.aborted)
          log.warn({ reason: getErrorText(error) }, 'sweep failed; the next one tries again')
      })
      await pauseUnlessAborted(everyMs, signal)
    }
  }
  const end = loop()
  return {
    async stop(graceMs) {
      stopping.abort()
      await waitAtMost(graceMs, end)
    },
  }
}
