/** The sandbox as services use it: the jail inside, then retries, then the queue. */
import { availableParallelism } from 'node:os'
import { createLocalSandbox, type LocalOptions, type LocalSandbox } from './local-sandbox.ts'
import { limitConcurrency } from './wrappers/limit-concurrency.ts'
import { retryInfrastructure } from './wrappers/retry-infrastructure.ts'

export interface SandboxOptions extends LocalOptions {
  /** Runs at a time. Default: one for each core. */
  concurrency?: number
}

export async function createSandbox({ concurrency = availableParallelism(), ...options }: SandboxOptions = {}): Promise<LocalSandbox> {
  return limitConcurrency(retryInfrastructure(await createLocalSandbox({ mostIdle: concurrency, ...options })), concurrency)
}
