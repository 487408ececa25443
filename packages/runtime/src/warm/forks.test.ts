/** Children of a warm Node: what they have in common with others, and their limits of memory. */
import { readFileSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ExecutionEnding, Language } from '@stateeval/contracts'
import { listDescendants } from '@stateeval/jail'
import { patience } from '@stateeval/testkit/patience'
import { until } from '@stateeval/testkit/until'
import { completeLimits } from '../limits.ts'
import { createLocalSandbox, type LocalSandbox } from '../../../sandbox/src/local-sandbox.ts'
import { createNoWorld } from '../../../sandbox/src/no-world.ts'

let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createLocalSandbox({ maxIdle: 1 })
})
afterAll(() => sandbox.close())

async function run(code: string, memoryMiB = 256, language: Language = 'javascript') {
  const [observation] = await sandbox.run(
    {
      language,
      code,
      inputs: [{ variables: {}, world: null }],
      world: createNoWorld(),
      limits: completeLimits({ memoryMiB }),
    },
    new AbortController().signal,
  )
  return observation!
}
const networkOf = (pid: number | 'self') => {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return undefined // ended meanwhile
  }
}
/** The innermost process of each jail: it runs a program, or waits for the next one. */
const innermost = () =>
  listDescendants(process.pid).filter((pid) => {
    const network = networkOf(pid)
    return listDescendants(pid).length === 1 && network !== undefined && network !== networkOf('self')
  })
const result = (ending: ExecutionEnding) => (ending.status === 'completed' ? ending.result : ending)

test('no two draw the same', async () => {
  const code = `const { randomBytes, randomUUID, generateKeyPairSync } = require('crypto')
RESULT = [Math.random(), randomUUID(), crypto.randomUUID(), randomBytes(8).toString('hex'), crypto.getRandomValues(new Uint32Array(2)).join(),
  generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })].map(String)`
  const draws: string[] = []
  for (let n = 0; n < 6; n++) {
    const { ending, sandbox: level } = await run(code)
    expect(level).toBe('warm-jail')
    draws.push(...(result(ending) as string[]))
  }
  expect(draws.length).toBe(36)
  expect(new Set(draws).size).toBe(draws.length)
})

test('each has its own limit of memory', async () => {
  const mebibytes = (count: number) =>
    `const kept = []; for (let n = 0; n < ${count}; n++) kept.push(new Array(131072).fill(n + 0.5)); RESULT = kept.length`
  for (const memoryMiB of [64, 384]) {
    const { ending, sandbox: level } = await run(mebibytes(32), memoryMiB)
    expect([result(ending), level]).toEqual([32, 'warm-jail'])
  }
  const limited = async (memoryMiB: number) => (await run(mebibytes(150), memoryMiB)).ending
  expect(await limited(64)).toMatchObject({ status: 'killed', by: 'memory' })
  expect(result(await limited(384))).toBe(150)
})

test('one that is killed from outside says nothing of its program', async () => {
  await run('RESULT = 1')
  const code = `process.title = 'runs'; await new Promise((go) => setTimeout(go, ${patience(700)})); RESULT = 2`
  const observed = run(code)
  await until(() => innermost().some((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'runs\n'))
  for (const pid of innermost()) process.kill(pid, 'SIGKILL')
  const { ending, sandbox: level } = await observed
  expect([result(ending), level]).toEqual([2, 'process-jail'])
  expect(result((await run('RESULT = 3')).ending)).toBe(3)
})

test('each has a network that no other process was or will be in', async () => {
  const networks = () => innermost().map((pid) => networkOf(pid)!)
  for (const language of ['javascript', 'python'] as const) {
    const seen = new Set<string>()
    for (let n = 0; n < 3; n++) {
      expect(result((await run('RESULT = 1', 256, language)).ending)).toBe(1)
      const waiting = networks()
      expect(new Set(waiting).size).toBe(waiting.length)
      for (const network of waiting) seen.add(network)
    }
    // The child of the runner that ran them is another one each time.
    expect(seen.size).toBeGreaterThanOrEqual(3)
  }
})

test('one may handle signals', async () => {
  const { ending, sandbox: level } = await run(
    `for (const name of ['SIGTERM', 'SIGINT', 'SIGUSR2']) process.on(name, () => {}); RESULT = process.listenerCount('SIGINT')`,
  )
  expect([result(ending), level]).toEqual([1, 'warm-jail'])
})

test('without networks of their own, each program gets a separate jail', async () => {
  const separate = await createLocalSandbox({ namespaces: false })
  try {
    expect(separate.level).toBe('process-jail')
    expect(await separate.tryLevel('warm-jail')).toMatch('namespaces')
  } finally {
    await separate.close()
  }
})
