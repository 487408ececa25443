/** The sandbox for services: a jail, wrapped in a retry and a queue. */
import { availableParallelism } from 'node:os'
import { createLocalSandbox, type LocalOptions, type LocalSandbox } from './local-sandbox.ts'
import { retryFailures } from './wrappers/attribute-failures.ts'
import { limitConcurrency } from './wrappers/limit-concurrency.ts'

interface SandboxOptions extends LocalOptions {
  /** Runs at a time. Default: one for each core. */
  concurrency?: number
  /**
   * Memory of a program in one place; one that asks for more takes several. Default: the most that any
   * program asks for.
   */
  placeMiB?: number
}

export async function createSandbox({
  concurrency = availableParallelism(),
  placeMiB = Infinity,
  ...options
}: SandboxOptions = {}): Promise<LocalSandbox> {
  const local = await createLocalSandbox({ maxIdle: concurrency, ...options })
  return limitConcurrency(retryFailures(local), concurrency, ({ limits }) =>
    Math.ceil(limits.memoryMiB / placeMiB),
  )
}
