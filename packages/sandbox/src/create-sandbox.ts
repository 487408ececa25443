/** The sandbox for services: a jail, wrapped in retries and a queue. */
import { availableParallelism } from 'node:os'
import { createLocalSandbox, type LocalOptions, type LocalSandbox } from './local-sandbox.ts'
import { limitConcurrency } from './wrappers/limit-concurrency.ts'
import { retryInfrastructure } from './wrappers/retry-infrastructure.ts'

interface SandboxOptions extends LocalOptions {
  /** Runs at a time. Default: one for each core. */
  concurrency?: number
  /**
   * What a program may use in one place; one that asks for more takes several. Default: as much as any asks
   * for.
   */
  placeMiB?: number
}

export async function createSandbox({
  concurrency = availableParallelism(),
  placeMiB = Infinity,
  ...options
}: SandboxOptions = {}): Promise<LocalSandbox> {
  const local = await createLocalSandbox({ maxIdle: concurrency, ...options })
  return limitConcurrency(retryInfrastructure(local), concurrency, ({ limits }) =>
    Math.ceil(limits.memoryMiB / placeMiB),
  )
}
