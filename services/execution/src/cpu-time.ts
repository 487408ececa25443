/**
 * The CPU time of the programs that some work runs. The sandbox reports it per run, and the work gets the
 * sum.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunTelemetry } from '@stateeval/sandbox'

const meter = new AsyncLocalStorage<{ ms: number }>()

/**
 * Does the work, and returns its value with the CPU seconds of its programs. The time of failed work is
 * reported, too.
 */
export async function withCpuSeconds<T>(
  work: () => Promise<T>,
  tell: (cpuSeconds: number) => void,
): Promise<T> {
  const usage = { ms: 0 }
  try {
    return await meter.run(usage, work)
  } finally {
    if (usage.ms > 0) tell(usage.ms / 1000)
  }
}

/** The same telemetry, which also adds CPU time to the current work. */
export const countCpuTime = (telemetry: RunTelemetry): RunTelemetry => ({
  ...telemetry,
  used(cpuMs, level, language) {
    const usage = meter.getStore()
    if (usage) usage.ms += cpuMs
    telemetry.used?.(cpuMs, level, language)
  },
})
