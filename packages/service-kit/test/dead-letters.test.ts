/** Dead letters on real servers: what a job was, what it failed with, and how it is queued again. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers, until } from '@stateeval/testkit'
import {
  buildBaseConfig,
  baseSettings,
  createLog,
  openPlatform,
  type ServicePlatform,
  readSettings,
  startWorker,
  type JobWorker,
} from '../src/index.ts'

const takes = 'jobs.scoring.score' as const
let servers: Servers
let platform: ServicePlatform
let worker: JobWorker | undefined
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers?.stop())
beforeEach(async () => {
  const values = readSettings(baseSettings, { ...servers.env, STATEEVAL_NAMESPACE: namespace() })
  platform = await openPlatform(
    'scoring',
    buildBaseConfig('scoring', values),
    createLog('scoring', { level: 'silent' }),
  )
  await platform.bus.ready()
})
afterEach(async () => {
  await worker?.stop(1000)
  worker = undefined
  await platform.bus.close()
  await platform.mongo.close()
})

/** A worker whose jobs fail as long as they are told to. */
function failing(of: { broken: boolean }) {
  const tries: Record<string, number> = {}
  worker = startWorker(
    {
      takes,
      attempts: 3,
      retryDelayMs: () => 1,
      validate: (payload) => payload,
      async handle(_payload, _context, { id }) {
        tries[id] = (tries[id] ?? 0) + 1
        if (of.broken) throw new Error(`no luck with ${id}`)
        return id
      },
    },
    platform,
    platform,
  )
  return tries
}
const redrive = (sequence: number, { id, payload }: { id: string; payload: { inline: null } }) =>
  platform.bus.publishJob(takes, { id, payload, redrive: String(sequence) })

test('a job that failed at every attempt is kept, tried anew when it is queued again, and done once', async () => {
  const luck = { broken: true }
  const tries = failing(luck)
  await platform.send(takes, { id: 'a/b@1', value: { n: 1 } })
  const letter = await until(() => platform.bus.dead.next(1))
  expect(letter).toMatchObject({
    id: 'a/b@1',
    subject: takes,
    payload: { inline: { n: 1 } },
    error: 'no luck with a/b@1',
    attempts: 3,
  })
  expect(await platform.bus.dead.count()).toBe(1)
  expect(await platform.bus.dead.next(1, takes)).toEqual(letter)
  expect(await platform.bus.dead.next(1, 'jobs.execution.execute')).toBeNull()
  expect(await platform.bus.dead.get(letter.sequence)).toEqual(letter)
  await until(() => platform.outcomes.find('a/b@1'))

  // It dies again: all attempts anew, and a letter in the place of the old one.
  const again = { id: letter.id, payload: { inline: null } } as const
  await redrive(letter.sequence, again)
  const second = await until(() => platform.bus.dead.next(letter.sequence + 1))
  expect([tries['a/b@1'], await platform.bus.dead.count()]).toEqual([6, 1])
  await until(() => platform.outcomes.find('a/b@1'))

  luck.broken = false
  await redrive(second.sequence, again)
  await until(async () => (await platform.outcomes.find('a/b@1'))?.status === 'done')
  expect(tries['a/b@1']).toBe(7)
  // Queued again although it is done: whoever waits is answered, nothing is worked on.
  await redrive(second.sequence, again)
  await platform.send(takes, { id: 'last', value: null })
  await until(() => platform.outcomes.find('last'))
  expect(tries['a/b@1']).toBe(7)
  await platform.bus.dead.remove(second.sequence)
  await platform.bus.dead.remove(second.sequence)
  expect([await platform.bus.dead.next(1), await platform.bus.dead.count()]).toEqual([null, 0])
})

test('a failure is forgotten once for each dead letter, a success never', async () => {
  const { outcomes } = platform
  await outcomes.begin('x')
  await outcomes.settle('x', { status: 'failed', reason: 'no' })
  await outcomes.reopen('x', '7')
  expect(await outcomes.begin('x')).toEqual({ attempts: 1 })
  await outcomes.settle('x', { status: 'failed', reason: 'no' })
  await outcomes.reopen('x', '7')
  expect(await outcomes.find('x')).toEqual({ status: 'failed', reason: 'no' })
  await outcomes.settle('y', { status: 'done', value: { inline: 1 } })
  await outcomes.reopen('y', '8')
  expect(await outcomes.find('y')).toEqual({ status: 'done', value: { inline: 1 } })
})
