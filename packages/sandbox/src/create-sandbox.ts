/** The sandbox as services use it: the jail inside, then retries, then the queue. */
import { availableParallelism } from 'node:os'
import type { Level } from './jail/probe.ts'
import { createProcessSandbox, type ProcessSandbox } from './process-sandbox.ts'
import { limitConcurrency } from './wrappers/limit-concurrency.ts'
import { retryInfrastructure } from './wrappers/retry-infrastructure.ts'

export interface SandboxOptions {
  level?: Level
  /** Runs at a time. Default: one for each core. */
  concurrency?: number
  /** The node binary that candidates get. Default: the one that runs this. */
  node?: string
  /** A folder for the prepared runtime; nobody else may write to it. */
  cache?: string
}

export async function createSandbox({ concurrency = availableParallelism(), ...options }: SandboxOptions = {}): Promise<ProcessSandbox> {
  return limitConcurrency(retryInfrastructure(await createProcessSandbox(options)), concurrency)
}
