/**
 * Programs that were answered before their canary ran: a touched canary takes their success back, whenever it
 * comes, and nothing else does.
 */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Execution, Observation, Problem } from '@stateeval/contracts'
import { type RunningService, startService } from '@stateeval/service-kit'
import { namespace, patience, type Servers, startServers, until } from '@stateeval/testkit'
import { execution } from '@stateeval/service-execution'
import type { ExecutionContext } from '../src/context.ts'

type CanaryTime = 'clean' | 'touched before the answer' | 'touched after it'

let servers: Servers
let service: RunningService<ExecutionContext>
let env: NodeJS.ProcessEnv
const start = () =>
  startService(execution, { env, sweepEveryMs: 1000 }) as Promise<RunningService<ExecutionContext>>
/** What the canary after a program finds, by its code; those of other programs are clean. */
const canaries = new Map<string, PromiseWithResolvers<boolean>>()

beforeAll(async () => {
  servers = await startServers()
  env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    PORT: '0',
    LOG_LEVEL: 'silent',
    STATEEVAL_GRACE_SECONDS: '5',
  }
  service = await start()
  await service.context.bus.ready()
  const { sandbox } = service.context
  const each = sandbox.each.bind(sandbox)
  sandbox.each = async (program, signal, take) => {
    const confirmation = await each(program, signal, take)
    const canary = program.level === undefined ? canaries.get(program.code) : undefined
    return canary
      ? {
          count: 1,
          confirm: () => canary.promise,
          onRefuted: (listener) => void canary.promise.then((isClean) => isClean || listener()),
        }
      : confirmation
  }
})
afterEach(() => canaries.clear())
afterAll(async () => {
  await service?.stop()
  await servers?.stop()
})

const program = (code: string, more: object = {}) => ({
  ...{ language: 'javascript', code, world: 'none', inputs: [{ variables: {}, world: null }] },
  ...more,
})
const get = async (url: string, { app } = service) => (await app.inject({ url })).json<Execution>()
async function execute(batch: readonly object[], seconds = 60) {
  const url = `/v1/executions?wait=${seconds}`
  const answer = await service.app.inject({ method: 'POST', url, payload: { batch } })
  return { status: answer.statusCode, body: answer.json<Execution>() }
}
const observe = ({ results }: Execution): Observation[] =>
  results!.flatMap(({ observations }) => observations)
const inWarm = { ending: { status: 'completed' }, sandbox: 'warm-jail' }
const inOwn = { ending: { status: 'completed' }, sandbox: 'process-jail' }
const end = (url: string) =>
  until(async () => {
    const now = await get(url)
    return now.status === 'queued' || now.status === 'running' ? null : now
  })

const times: CanaryTime[] = ['clean', 'touched before the answer', 'touched after it']
test.each(times.flatMap((first) => times.map((second) => [first, second] as const)))(
  'two canaries of a batch: one is %s, one is %s',
  async (...when) => {
    // The last program begins when the others have ended: what comes meanwhile comes before the answer.
    const codes = [
      `RESULT = '${when[0]}'`,
      `RESULT = '${when[1]}'.padEnd(20_000)`,
      'await new Promise((go) => setTimeout(go, 500)); RESULT = 3',
    ]
    const held = codes.slice(0, 2).map((code, n) => {
      const canary = Promise.withResolvers<boolean>()
      canaries.set(code, canary)
      if (when[n] === 'touched before the answer') canary.resolve(false)
      return canary
    })
    const { status, body } = await execute(codes.map((code) => program(code)))
    expect([status, body.status]).toEqual([200, 'succeeded'])
    expect(observe(body)).toMatchObject([
      ...when.map((one) => (one === 'touched before the answer' ? inOwn : inWarm)),
      inWarm,
    ])
    held.forEach(({ resolve }, n) => resolve(when[n] !== 'touched after it'))
    if (!when.includes('touched after it')) return expect(await get(body.links.self!)).toEqual(body)
    const now = await until(async () => {
      const one = await get(body.links.self!)
      return one.status === 'failed' ? one : null
    })
    expect(now).toEqual({
      ...{ id: body.id, status: 'failed', createdAt: body.createdAt, finishedAt: body.finishedAt },
      progress: { done: 0, total: 3, phase: 'failed' },
      error: expect.stringMatching(/not be confirmed as clean/),
      links: body.links,
    })
    const results = await service.app.inject({ url: body.links.results! })
    expect([results.statusCode, results.json<Problem>().detail]).toEqual([
      409,
      expect.stringContaining(now.error!),
    ])
  },
)

test('what outlasts the wait takes along to the queue only what is confirmed', async () => {
  const seconds = Math.min(patience(3), 30)
  const codes = [
    'RESULT = 1',
    'RESULT = 2',
    `await new Promise((go) => setTimeout(go, ${1600 * seconds})); RESULT = 3`,
  ]
  for (const [n, isClean] of [true, false].entries()) {
    const canary = Promise.withResolvers<boolean>()
    canary.resolve(isClean)
    canaries.set(codes[n]!, canary)
  }
  const batch = codes.map((code) => program(code, { limits: { wallMs: 60_000 } }))
  const { status, body } = await execute(batch, seconds)
  expect(status).toBe(202)
  const done = await end(body.links.self!)
  expect(observe(done)).toMatchObject([inWarm, inOwn, inWarm])
})

test('a service that stops has the canaries run that are due, and takes nothing back', async () => {
  const { status, body } = await execute([program('RESULT = 1'), program('RESULT = 2')])
  expect([status, body.status]).toEqual([200, 'succeeded'])
  await service.stop()
  service = await start()
  expect(await get(body.links.self!)).toEqual(body)
})
