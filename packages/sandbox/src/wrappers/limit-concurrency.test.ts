import { expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import { completeLimits, mergeConfirmations, type CleanConfirmation } from '@stateeval/runtime'
import type { Sandbox, SandboxRun } from '../sandbox.ts'
import { limitConcurrency } from './limit-concurrency.ts'

/** Runs stay until they are ended by name, which is their code. */
function blockingSandbox(maxRuns: number) {
  const running = new Map<string, () => void>()
  const inner = partial<Sandbox>({
    each: ({ code }: SandboxRun) =>
      new Promise<CleanConfirmation>((resolve) =>
        running.set(code, () => (running.delete(code), resolve(mergeConfirmations([])))),
      ),
  })
  const sandbox = limitConcurrency(inner, maxRuns, ({ limits }) => Math.ceil(limits.memoryMiB / 256))
  const start = (code: string, memoryMiB = 256, signal = new AbortController().signal) =>
    sandbox.run({ code, limits: completeLimits({ memoryMiB }) } as SandboxRun, signal)
  const now = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return [...running.keys()].join('')
  }
  return { start, now, end: (code: string) => running.get(code)!() }
}

test('a run that may take much memory takes several places, and nobody overtakes it', async () => {
  const { start, now, end } = blockingSandbox(3)
  void start('a')
  void start('b')
  void start('L', 1024)
  void start('c')
  expect(await now()).toBe('ab')
  end('a')
  expect(await now()).toBe('b')
  end('b')
  // More than all there is: it runs alone.
  expect(await now()).toBe('L')
  end('L')
  expect(await now()).toBe('c')
})

test('who leaves the queue holds up nobody behind', async () => {
  const { start, now } = blockingSandbox(2)
  void start('a')
  const abort = new AbortController()
  const large = start('L', 512, abort.signal)
  void start('b')
  expect(await now()).toBe('a')
  abort.abort(new Error('enough'))
  await expect(large).rejects.toThrow('enough')
  expect(await now()).toBe('ab')
})
