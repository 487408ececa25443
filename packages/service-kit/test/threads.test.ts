/** Threads give what their functions return, in slices, and end at their limits. */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { afterAll, expect, test } from '@jest/globals'
import { ProblemError } from '@stateeval/contracts'
import fc from 'fast-check'
import { createThreads, isLong, JobRefusal } from '../src/index.ts'
import { preloadInThreads } from '../src/threads/preloaded.ts'
import { ValueAssembly, sliceValue } from '../src/threads/slices.ts'

const work = new URL('./threads-work.ts', import.meta.url)
const threads = createThreads(work)
const small = createThreads(work, { maxMiB: 48, maxThreads: 1 })
afterAll(async () => {
  await threads.close()
  await small.close()
})

function rebuilt(value: unknown): { value: unknown; slices: number } {
  const assembly = new ValueAssembly()
  let slices = 0
  for (const slice of sliceValue(value)) {
    slices++
    assembly.add(structuredClone(slice))
  }
  return { value: assembly.value, slices }
}
const manyOf = (member: unknown, count: number) => Array.from({ length: count }, () => member)
const large = fc.oneof(
  fc.tuple(fc.jsonValue(), fc.nat(3000)).map(([member, count]) => manyOf(member, count)),
  fc.tuple(fc.string(), fc.nat(3000)).map(([text, count]) => ({ text: text.repeat(count), at: count })),
  fc
    .tuple(fc.jsonValue(), fc.nat(3000))
    .map(([member, count]) => Object.fromEntries(manyOf(member, count).map((one, n) => [`k${n}`, one]))),
)

test('a value is the same after it was cut into slices, and each slice is short', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue({ maxDepth: 6 }), fc.array(large, { maxLength: 4 })), (value) => {
      expect(rebuilt(value).value).toEqual(value)
    }),
    {
      examples: [[JSON.parse('{"__proto__":{"a":1}}')], [[undefined, NaN, -0]], [new Uint8Array(3)]] as never,
    },
  )
  for (const value of [
    manyOf({}, 100_000),
    manyOf([], 100_000),
    manyOf(1, 300_000),
    Object.fromEntries(manyOf(1, 100_000).map((one, n) => [`k${n}`, one])),
    manyOf(manyOf('text', 100), 3000),
  ])
    for (const slice of sliceValue(value)) expect(isLong(slice, 150_000)).toBe(false)
})

test('a name that would set a prototype is a member, also in a long object', () => {
  const value = JSON.parse(`{"__proto__":[${'1,'.repeat(5000)}1]}`) as object
  const copy = rebuilt(value)
  expect(copy.slices).toBeGreaterThan(0)
  expect(Object.keys(copy.value as object)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(copy.value)).toBe(Object.prototype)
})

test('short and long values come back from a thread, while others get their turn', async () => {
  expect(await threads.run('same', { a: [1] })).toEqual({ a: [1] })
  expect(await threads.run('same', undefined)).toBe(undefined)
  const map = new Map([['a', new Uint8Array(40_000)]])
  expect(await threads.run('same', map)).toEqual(map)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const list = await threads.run<unknown[]>('repeatMember', { count: 200_000, member: { a: [1], b: 'x' } })
  clearInterval(timer)
  expect(list).toHaveLength(200_000)
  expect(list[199_999]).toEqual({ a: [1], b: 'x' })
  expect(turns).toBeGreaterThan(5)
})

test('problems and refusals keep what they say; other errors come as they are', async () => {
  const problem: unknown = await threads.run('problem', null).catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(ProblemError)
  expect(problem).toMatchObject({ code: 'unprocessable', message: 'it is wrong', field: '/field' })
  await expect(threads.run('refusal', null)).rejects.toThrow(JobRefusal)
  await expect(threads.run('fault', null)).rejects.toThrow(/^a fault of ours$/)
})

test('what takes too long, or too much memory, ends with a problem; the next one is served', async () => {
  await expect(threads.run('endless', null, { maxMs: 300 })).rejects.toMatchObject({
    code: 'payload-too-large',
    message: expect.stringContaining('0.3 s'),
  })
  await expect(small.run('greedy', null)).rejects.toMatchObject({
    code: 'payload-too-large',
    message: expect.stringContaining('48 MiB'),
  })
  const gone = new AbortController()
  const running = threads.run('endless', null, { signal: gone.signal })
  setTimeout(() => gone.abort(new Error('the caller is gone')), 200)
  await expect(running).rejects.toThrow('the caller is gone')
  expect(await threads.run('same', 1)).toBe(1)
  expect(await small.run('same', 1)).toBe(1)
})

test('however a thread runs out of memory, it ends alone', async () => {
  for (let time = 0; time < 4; time++)
    for (const name of ['greedy', 'parseGreedily'])
      await expect(small.run(name, null)).rejects.toMatchObject({ code: 'payload-too-large' })
  expect(await small.run('same', 1)).toBe(1)
})

test('a thread that cannot start leaves nothing waiting; one that can is served', async () => {
  const preloaded = 'stateeval/preloaded'
  const before = getEnvironmentData(preloaded)
  const unable = createThreads(work, { maxThreads: 1 })
  preloadInThreads(new URL('./no-such-module.ts', import.meta.url).href)
  try {
    const runs = await Promise.allSettled([1, 2].map((value) => unable.run('same', value)))
    for (const run of runs) expect(run).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  } finally {
    setEnvironmentData(preloaded, before)
  }
  expect(await unable.run('same', 3)).toBe(3)
  await unable.close()
})
