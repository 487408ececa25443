/**
 * Used-up runners are replaced immediately, up to the number of simultaneous programs; with fake runners.
 */
import { mock } from 'node:test'
import { expect, test } from '@jest/globals'
import { type PooledRunner, WarmPool } from './pool.ts'

const MiB = 1024 * 1024

class FakeRunner implements PooledRunner {
  usable = true
  runs = 0
  isCheckDue = false
  isCheckAwaited = false
  onAwaited = () => {}
  /** Whose programs have run since the last canary. */
  owner: string | undefined
  checks = 0
  grownBytes = 0
  end!: () => void
  readonly exited: Promise<unknown>
  /** Settled by the test: how long a start takes. */
  started!: () => void
  fail!: (reason: Error) => void
  readonly #started: Promise<unknown>
  /** A runner that is ended takes its time: until the test says so. */
  closing = false
  constructor(at: 'once' | 'later') {
    this.exited = new Promise<void>((resolve) => (this.end = resolve)).then(() => (this.usable = false))
    this.#started = new Promise<void>((resolve, reject) => {
      this.started = resolve
      this.fail = reject
      if (at === 'once') resolve()
    })
  }
  grown() {
    return this.grownBytes
  }
  needsCheck(owner: string) {
    return this.owner !== undefined && this.owner !== owner
  }
  async check() {
    this.checks++
    this.owner = undefined
    this.isCheckDue = this.isCheckAwaited = false
  }
  async ready() {
    await this.#started
    return this
  }
  async close() {
    this.closing = true
    await this.exited
  }
}

function pooled(maxIdle = 8, starts: 'once' | 'later' = 'once', spares = 0) {
  const allRunners: FakeRunner[] = []
  const pool = new WarmPool(() => allRunners[allRunners.push(new FakeRunner(starts)) - 1]!, maxIdle, spares)
  /** Runs programs at a time. */
  const run = async (count: number) => {
    const runners = await Promise.all(Array.from({ length: count }, () => pool.take()))
    for (const runner of runners) runner.runs++
    return runners
  }
  return { pool, allRunners, run }
}
const soon = () => new Promise((resolve) => setImmediate(resolve))

test('all that were used up at once are replaced at once, before they are gone', async () => {
  const { pool, allRunners, run } = pooled()
  const four = await run(4)
  const returns = four.map((runner) => {
    runner.usable = false
    return pool.giveBack(runner)
  })
  await soon()
  expect(four.every(({ closing }) => closing)).toBe(true)
  expect(allRunners.length).toBe(8)
  // The four that come next find them.
  const next = await run(4)
  expect(next.map((runner) => allRunners.indexOf(runner)).sort()).toEqual([4, 5, 6, 7])
  expect(allRunners.length).toBe(8)
  four.forEach(({ end }) => end())
  await Promise.all(returns)
})

test('no more are kept than programs had at a time, nor than may be idle', async () => {
  for (const [maxIdle, expected] of [
    [8, 2],
    [1, 1],
  ] as const) {
    const { pool, allRunners, run } = pooled(maxIdle)
    const runners = await run(2)
    for (const runner of runners) {
      runner.usable = false
      runner.end()
      await pool.giveBack(runner)
    }
    await soon()
    expect(allRunners.length - 2).toBe(expected)
  }
})

test.each<[string, (runner: FakeRunner) => void]>([
  ['that has run enough programs', (runner) => (runner.runs = 2000)],
  ['in which programs have left much', (runner) => (runner.grownBytes = 33 * MiB)],
])('a runner %s is replaced', async (_, used) => {
  const { pool, allRunners, run } = pooled()
  const [first] = await run(1)
  first!.grownBytes = 31 * MiB
  await pool.giveBack(first!)
  expect(await pool.take()).toBe(first)
  used(first!)
  first!.end()
  await pool.giveBack(first!)
  expect([first!.closing, allRunners.length]).toEqual([true, 2])
  expect(await pool.take()).toBe(allRunners[1])
})

test('one that has run nearly enough programs serves on until its successor, the only one, is there', async () => {
  const { pool, allRunners } = pooled(8, 'later')
  const firstTake = pool.take()
  allRunners[0]!.started()
  const old = await firstTake
  for (old.runs = 1950; old.runs < 1960; old.runs++) {
    await pool.giveBack(old)
    expect(await pool.take()).toBe(old)
  }
  expect(allRunners.length).toBe(2)
  allRunners[1]!.started()
  await soon()
  old.end()
  await pool.giveBack(old)
  expect([old.closing, allRunners.length]).toEqual([true, 2])
  expect(await pool.take()).toBe(allRunners[1])
})

test('one that dies idle is replaced, unless it never ran a program', async () => {
  const { pool, allRunners, run } = pooled()
  const [first] = await run(1)
  await pool.giveBack(first!)
  first!.end()
  await soon()
  expect(allRunners.length).toBe(2)
  allRunners[1]!.end()
  await soon()
  expect(allRunners.length).toBe(2)
  expect(await pool.take()).toBe(allRunners[2])
})

test('with a spare, who comes after one that was ended waits for no start', async () => {
  const { pool, allRunners } = pooled(1, 'later', 1)
  const firstTake = pool.take()
  allRunners[0]!.started()
  const first = await firstTake
  // Started when the first program has ended, not beside it.
  expect(allRunners.length).toBe(1)
  await pool.giveBack(first)
  expect(allRunners.length).toBe(2)
  allRunners[1]!.started()
  await soon()
  const odd = await pool.take()
  odd.usable = false
  odd.end()
  await pool.giveBack(odd)
  const next = await pool.take()
  expect([allRunners.indexOf(odd) !== allRunners.indexOf(next), allRunners.length]).toEqual([true, 3])
  await pool.giveBack(next)
  allRunners[2]!.started()
  await soon()
  // No more than that.
  await pool.giveBack(await pool.take())
  expect(allRunners.length).toBe(3)
  allRunners.forEach(({ end }) => end())
  await pool.close()
})

test('at the end, idle ones run the canary that is due, and one that is held up ends nevertheless', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { pool, allRunners, run } = pooled()
    for (const runner of await run(2)) await pool.giveBack(runner)
    const [good, held] = allRunners as [FakeRunner, FakeRunner]
    held.check = () => held.exited.then(() => undefined)
    const closed = pool.close()
    await soon()
    expect([good.checks, good.closing, held.closing]).toEqual([1, true, false])
    mock.timers.tick(5000)
    expect(held.closing).toBe(true)
    allRunners.forEach(({ end }) => end())
    await closed
  } finally {
    mock.timers.reset()
  }
})

test('who waits for one that is starting gets it, and hears why where none can be started', async () => {
  const { pool, allRunners } = pooled(8, 'later')
  const first = pool.take()
  allRunners[0]!.started()
  const runner = await first
  runner.usable = false
  const firstReturn = pool.giveBack(runner)
  const second = pool.take()
  await soon()
  expect(allRunners.length).toBe(2)
  allRunners[1]!.fail(new Error('no memory'))
  await soon()
  expect(allRunners.length).toBe(3)
  allRunners[2]!.fail(new Error('still none'))
  await expect(second).rejects.toThrow('still none')
  runner.end()
  await firstReturn
  await pool.close()
  await expect(pool.take()).rejects.toThrow('closed')
})

test('a canary runs between two owners, when one is due, and when one is awaited in an idle runner', async () => {
  const { pool } = pooled()
  const runFor = async (owner: string) => {
    const runner = await pool.take(owner)
    runner.owner = owner
    return runner
  }
  const runner = await runFor('a')
  await pool.giveBack(runner)
  await pool.giveBack(await runFor('a'))
  expect(runner.checks).toBe(0)
  expect(await runFor('b')).toBe(runner)
  expect(runner.checks).toBe(1)
  runner.isCheckDue = true
  await pool.giveBack(runner)
  await soon()
  expect(runner.checks).toBe(2)
  // It is not taken for a program while the canary runs.
  expect(await runFor('b')).toBe(runner)
  await pool.giveBack(runner)
  runner.isCheckAwaited = true
  runner.onAwaited()
  while (runner.checks === 2) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(runner.checks).toBe(3)
})

test('a runner whose canary fails serves no other program', async () => {
  const { pool, allRunners } = pooled()
  const first = await pool.take('a')
  first.owner = 'a'
  await pool.giveBack(first)
  first.check = async () => void (first.usable = false)
  const second = await pool.take('b')
  expect(second).not.toBe(first)
  expect([first.closing, allRunners.length]).toEqual([true, 2])
  first.end()
})
