/**
 * The CPU time of the programs that some work runs: the sandbox tells it per run, whoever is at work takes
 * the sum.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Telemetry } from '@stateeval/sandbox'

const meter = new AsyncLocalStorage<{ ms: number }>()

/**
 * Does the work and gives, with its value, the CPU seconds that its programs took; those of work that fails
 * are told, too.
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

/** The same telemetry, which also counts CPU time for whoever is at work. */
export const counted = (telemetry: Telemetry): Telemetry => ({
  ...telemetry,
  used(cpuMs, level, language) {
    const usage = meter.getStore()
    if (usage) usage.ms += cpuMs
    telemetry.used?.(cpuMs, level, language)
  },
})
