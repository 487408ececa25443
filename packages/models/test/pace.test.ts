/** Limits and how they move, on a clock of the test's own. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createPace } from '../src/index.ts'
import { clientWith, hi, serve, serveBy } from './asking.ts'

const signal = new AbortController().signal
function timed(settings: object) {
  let time = 0
  const pause = async (ms: number) => void (time += ms)
  const pace = createPace({ baseUrl: 'http://x/v1', model: 'x', ...settings }, { clock: () => time, pause })
  return { pace, now: () => time, advance: (ms: number) => (time += ms) }
}

test('no more requests at a time than the model allows', async () => {
  const server = await serve({ say: 'x', afterMs: 20 })
  const one = clientWith()
  const model = { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x', concurrency: 2 } }
  await Promise.all(Array.from({ length: 7 }, () => one.ask(model, { messages: hi }, signal)))
  expect(server.requests).toHaveLength(7)
  expect(server.peak).toBe(2)
})

test('a busy answer halves the share once for all that were on their way; a round of answers gives one place back', async () => {
  const { pace, advance } = timed({ concurrency: 8 })
  const turns = await Promise.all(Array.from({ length: 8 }, () => pace.enter(1, signal)))
  advance(10)
  for (const turn of turns) turn?.end({ ok: false, busy: true, afterMs: 500 })
  expect(pace.limit).toBe(4)
  for (let n = 0; n < 4; n++) (await pace.enter(1, signal))?.end({ ok: true })
  expect(pace.limit).toBe(5)
  for (let n = 0; n < 40; n++) (await pace.enter(1, signal))?.end({ ok: true })
  expect(pace).toMatchObject({ limit: 8, share: 1, open: 0 })
})

test('what the endpoint asks to wait, everybody waits', async () => {
  const { pace, now, advance } = timed({})
  const first = await pace.enter(1, signal)
  advance(1)
  first?.end({ ok: false, busy: true, afterMs: 7000 })
  await pace.enter(1, signal)
  expect(now()).toBe(7001)
})

test('who would have to wait longer than ten minutes is told at once, and so are those behind; a minute later it is asked again', async () => {
  let time = 0
  const pauses: number[] = []
  const server = await serve({ status: 429, headers: { 'retry-after': '86400' } }, { say: 'back' })
  const client = clientWith([], {
    clock: () => time,
    pause: async (ms) => {
      pauses.push(ms)
      time += ms
    },
  })
  const ask = () =>
    client.ask(
      { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x', concurrency: 1 } },
      { messages: hi },
      signal,
    )
  const replies = await Promise.all([ask(), ask(), ask()])
  for (const reply of replies)
    expect(reply).toMatchObject({
      status: 'refused',
      kind: 'unreachable',
      retries: 0,
      reason: expect.stringContaining('asked to retry in 24 hours (maximum wait: 10 minutes)'),
    })
  expect([server.requests.length, pauses]).toEqual([1, []])
  time += 59_999
  expect((await ask()).status).toBe('refused')
  time += 1
  expect(await ask()).toMatchObject({ status: 'done', text: 'back' })
})

test('a wait that is longer than a timer can be is made of several', async () => {
  const pauses: number[] = []
  let time = 0
  const pause = async (ms: number) => {
    pauses.push(ms)
    time += ms
  }
  const pace = createPace(
    { baseUrl: 'http://x/v1', model: 'x', tokensPerMinute: 100 },
    { clock: () => time, pause },
  )
  ;(await pace.enter(1, signal))?.end({ ok: true, tokens: 10_000_000 })
  await pace.enter(1, signal)
  expect(time).toBeGreaterThan(2 ** 31)
  expect(Math.max(...pauses)).toBe(600_000)
})

test('requests and tokens a minute are kept, whatever comes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 30, maxLength: 80 }),
      async (sizes) => {
        const { pace, now } = timed({ requestsPerMinute: 60, tokensPerMinute: 6000, concurrency: 1000 })
        let tokens = 0
        for (const [at, size] of sizes.entries()) {
          const turn = await pace.enter(size, signal)
          turn?.end({ ok: true, tokens: size })
          tokens += size
          const minutes = now() / 60_000
          expect(at + 1).toBeLessThanOrEqual(60 * minutes + 7)
          expect(tokens).toBeLessThanOrEqual(6000 * minutes + 1001)
        }
      },
    ),
    { seed: 4, numRuns: 20 },
  )
})

test('an endpoint that takes three at a time is served without losing a question', async () => {
  let open = 0
  const server = await serveBy(() => {
    if (open >= 3) return { status: 429, headers: { 'retry-after': '0.01' } }
    open++
    setTimeout(() => open--, 15)
    return { say: 'x', afterMs: 10 }
  })
  const client = clientWith([], {
    retries: 20,
    clock: () => performance.now(),
    random: Math.random,
    backoffMs: 10,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
  const model = { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x', concurrency: 32 } }
  const replies = await Promise.all(
    Array.from({ length: 150 }, () => client.ask(model, { messages: hi }, signal)),
  )
  expect(replies.filter(({ status }) => status === 'done')).toHaveLength(150)
  // It learns: most requests are taken, although ten times as many are allowed by the settings.
  expect(server.requests.length).toBeLessThan(300)
})

test('what is held back when its turn comes never goes out, and gives its place to the next', async () => {
  const server = await serve({ say: 'x' })
  const client = clientWith()
  const model = { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x', concurrency: 1 } }
  const ask = (before: () => Promise<string | null>) => client.ask(model, { messages: hi, before }, signal)
  expect(await ask(async () => 'no money')).toEqual({
    status: 'refused',
    kind: 'held',
    reason: 'no money',
    retries: 0,
  })
  await expect(ask(async () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(server.requests).toHaveLength(0)
  expect(await ask(async () => null)).toMatchObject({ status: 'done' })
})

test('the next question gets its turn when the one before is settled: kept and counted, with all its tries', async () => {
  const server = await serve({ status: 500 }, { say: 'x' }, { status: 401 })
  const client = clientWith()
  const model = { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x', concurrency: 1 } }
  const events: string[] = []
  const ask = (name: string) =>
    client.ask(
      model,
      {
        messages: hi,
        before: async () => {
          events.push(`${name} may go`)
          return null
        },
        settle: async ({ status, retries }) => {
          // Whoever waits for a turn would be through long before.
          await new Promise((resolve) => setTimeout(resolve, 20))
          events.push(`${name} ${status} after ${retries}`)
        },
      },
      signal,
    )
  await ask('first')
  await Promise.all(['second', 'third'].map(ask))
  expect(events).toEqual([
    'first may go',
    'first may go',
    'first done after 1',
    'second may go',
    'second refused after 0',
    'third may go',
    'third refused after 0',
  ])
})

test('what can’t be settled is the caller’s error, and gives its place to the next', async () => {
  const server = await serve({ say: 'x' })
  const client = clientWith()
  const model = { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x', concurrency: 1 } }
  const settle = () => Promise.reject(new Error('away'))
  await expect(client.ask(model, { messages: hi, settle }, signal)).rejects.toThrow('away')
  expect(await client.ask(model, { messages: hi }, signal)).toMatchObject({ status: 'done' })
})
