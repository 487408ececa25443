/**
 * What a run may use where nobody says otherwise. Generous: a verdict must not depend on how busy the machine
 * is.
 */
import { type Limits, maxObservationBytes } from '@stateeval/contracts'

export const defaultLimits: Limits = {
  wallMs: 10_000,
  cpuSeconds: 10,
  memoryMiB: 256,
  outputKiB: 64,
  resultKiB: 1024,
  processes: 64,
  requests: 1000,
}
/** A jail’s /tmp, in bytes: bounded by the memory limit as well, as a file there is memory. */
export const tmpBytes = ({ memoryMiB }: Pick<Limits, 'memoryMiB'>) =>
  Math.min(64, Math.floor(memoryMiB / 4)) * 1024 * 1024

/**
 * All that a run may tell its world by calls, or exchange with it over connections, in bytes: worlds remember
 * what they were told.
 */
export const exchangedBytes = ({ resultKiB }: Pick<Limits, 'resultKiB'>) =>
  Math.min(32 * resultKiB * 1024, 2 * maxObservationBytes)

export const completeLimits = (limits: Partial<Limits> = {}): Limits => ({ ...defaultLimits, ...limits })
