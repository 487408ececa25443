/**
 * Runs at the start and at an interval: finds in the stored state what a crash interrupted, and requests it
 * again.
 */
import { messageOf } from './errors.ts'
import type { Log } from './log.ts'
import { atMost, pause } from './time.ts'

interface RunningSweep {
  /** Lets a run that has begun end, for so many milliseconds: what it leaves undone, the next one finds. */
  stop(graceMs: number): Promise<void>
}
interface SweepOptions {
  /** Between the end of a run and the start of the next, in milliseconds. Default: 10 s. */
  everyMs?: number
  log: Log
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
        if (!signal.aborted) log.warn({ reason: messageOf(error) }, 'sweep failed; the next one tries again')
      })
      await pause(everyMs, signal)
    }
  }
  const end = loop()
  return {
    async stop(graceMs) {
      stopping.abort()
      await atMost(graceMs, end)
    },
  }
}
