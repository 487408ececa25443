/** Default limits of a run. They are generous, because a verdict must not depend on the machine's load. */
import { type ExecutionLimits, maxObservationBytes } from '@stateeval/contracts'

export const defaultLimits: ExecutionLimits = {
  wallMs: 10_000,
  cpuSeconds: 10,
  memoryMiB: 256,
  outputKiB: 64,
  resultKiB: 1024,
  processes: 64,
  requests: 1000,
}
/**
 * The size of a jail’s /tmp, in bytes. The memory limit bounds it as well, because its files are in memory.
 */
export const computeTmpBytes = ({ memoryMiB }: Pick<ExecutionLimits, 'memoryMiB'>) =>
  Math.min(64, Math.floor(memoryMiB / 4)) * 1024 * 1024

/**
 * The maximum bytes that a run may send to its world by calls, or exchange with it over connections: worlds
 * remember what they receive.
 */
export const computeExchangedBytes = ({ resultKiB }: Pick<ExecutionLimits, 'resultKiB'>) =>
  Math.min(32 * resultKiB * 1024, 2 * maxObservationBytes)

export const completeLimits = (limits: Partial<ExecutionLimits> = {}): ExecutionLimits => ({
  ...defaultLimits,
  ...limits,
})
