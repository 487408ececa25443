/** The worker loop on real servers: whatever happens to a worker, a job has one outcome. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  type JobMessage,
  type JobOutcome,
  type JobReply,
  messageVersion,
  streams,
} from '@stateeval/contracts'
import { MongoNetworkError } from 'mongodb'
import { connect } from 'nats'
import { namespace, patience, type Servers, startServers, until } from '@stateeval/testkit'
import { oneOf } from '@stateeval/testkit/each-time'
import {
  type AnyJob,
  buildBaseConfig,
  baseSettings,
  listCollectionNames,
  createLog,
  ElsewhereError,
  hiddenError,
  runInProject,
  openPlatform,
  PackedValue,
  type ServicePlatform,
  pauseUnlessAborted,
  readSettings,
  JobRefusal,
  type JobRun,
  startWorker,
  runSealed,
  type JobWorker,
} from '../src/index.ts'
import { buildBusNames as namesOf } from '../src/bus/names.ts'

let servers: Servers
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers?.stop())

const answers = 'jobs.evaluation.step' as const
const takes = 'jobs.scoring.score' as const
let space: string
let platform: ServicePlatform
let replies: JobReply[]
let opened: ServicePlatform[]
let workers: JobWorker[]

async function open(): Promise<ServicePlatform> {
  const values = readSettings(baseSettings, { ...servers.env, STATEEVAL_NAMESPACE: space })
  const newPlatform = await openPlatform(
    'scoring',
    buildBaseConfig('scoring', values),
    createLog('scoring', { level: 'silent' }),
  )
  opened.push(newPlatform)
  return newPlatform
}
function work(
  handle: (payload: { n: number }, run: JobRun) => Promise<unknown>,
  job: Partial<AnyJob<ServicePlatform>> = {},
  on = platform,
  ackWaitMs = 30_000,
) {
  const whole: AnyJob<ServicePlatform> = {
    takes,
    retryDelayMs: () => 10,
    validate: (payload) => payload,
    handle: (payload, _context, run) => handle(payload as { n: number }, run),
    ...job,
  }
  const worker = startWorker(whole, on, on, { ackWaitMs, longestReturnMs: 10 })
  workers.push(worker)
  return worker
}
const send = (id: string, n: number, correlation = id) =>
  platform.send(takes, { id, value: { n }, replyTo: { subject: answers, correlation } })
const reply = (correlation: string) => until(() => replies.find((one) => one.correlation === correlation))

beforeEach(async () => {
  space = namespace()
  opened = []
  workers = []
  replies = []
  platform = await open()
  await platform.bus.ready()
  const collect: AnyJob<ServicePlatform> = {
    takes: answers,
    outcome: 'own',
    validate: (payload) => payload,
    handle: async (payload) => void replies.push(payload as JobReply),
  }
  workers.push(startWorker(collect, platform, platform))
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)))
  for (const { bus, mongo, metrics, quota } of opened) {
    await quota.close()
    await bus.close()
    await mongo.close()
    metrics.registry.clear()
  }
})

test('a job is done, stored, answered', async () => {
  work(async ({ n }) => ({ double: n * 2 }))
  await send('a', 4, 'item-1')
  expect(await reply('item-1')).toEqual({
    correlation: 'item-1',
    jobId: 'a',
    outcome: { status: 'done', value: { inline: { double: 8 } } },
  })
  expect(await platform.outcomes.find('a')).toEqual({ status: 'done', value: { inline: { double: 8 } } })
})

test('what one replica lacks the means for is done by another; where there is none, the last attempt ends it', async () => {
  const tried: string[] = []
  const lacking = async (_: unknown, { mayMove }: JobRun) => {
    tried.push('small')
    if (mayMove) throw new ElsewhereError('too little memory')
    return 'out of memory'
  }
  work(lacking)
  await send('alone', 1)
  const outcome = { status: 'done', value: { inline: 'out of memory' } }
  expect((await reply('alone')).outcome).toEqual(outcome)
  // Once before it was put back for others, and once after.
  expect(tried).toEqual(['small', 'small'])

  const large = async () => {
    tried.push('large')
    return 'done'
  }
  work(large, {}, await open())
  tried.length = 0
  // Whoever gets them first, the one that can does them.
  const ids = Array.from({ length: 10 }, (_, n) => `more ${n}`)
  await Promise.all(ids.map((id) => send(id, 1)))
  for (const id of ids) expect((await reply(id)).outcome).toMatchObject({ value: { inline: 'done' } })
  expect(tried.filter((who) => who === 'large')).toHaveLength(ids.length)
})

test('an answer has the version that its asker names: who is older leaves it to a newer one', async () => {
  work(async ({ n }) => ({ double: n * 2 }))
  const asked = (id: string, version: number) =>
    platform.send(takes, {
      id,
      value: { n: 1 },
      replyTo: { subject: answers, correlation: id, carried: { inline: { form: 'new' } }, version },
    })
  await asked('for a newer one', messageVersion + 1)
  await asked('for this one', messageVersion)
  expect(await reply('for this one')).toMatchObject({ carried: { inline: { form: 'new' } } })
  const left = /stateeval_jobs_total\{[^}]*outcome="left"[^}]*\} [1-9]/
  await until(async () => left.test(await platform.metrics.registry.metrics()))
  expect(replies.map(({ correlation }) => correlation)).toEqual(['for this one'])
})

test('a message of a newer version stays on the queue, and one of a version before is read', async () => {
  const handled: number[] = []
  work(async ({ n }) => void handled.push(n))
  const nc = await connect({ servers: servers.natsUrl })
  const names = namesOf(space)
  const publish = async (id: string, n: number, rest: object) =>
    nc.jetstream().publish(names.job(takes, id), JSON.stringify({ id, payload: { inline: { n } }, ...rest }))
  // Its form may be any.
  await publish('newer', 1, { version: messageVersion + 1, payload: { somewhere: 'else' } })
  await publish('before', 2, {})
  await until(() => handled.length > 0)
  const consumer = async () => (await nc.jetstreamManager()).consumers.info(names.jobs, names.consumer(takes))
  // It was handed out, handed back, and comes again.
  await until(async () => (await consumer()).num_redelivered > 0)
  expect(handled).toEqual([2])
  expect(await platform.outcomes.find('newer')).toBeNull()
  const { state } = await (await nc.jetstreamManager()).streams.info(names.jobs)
  expect(state.messages).toBe(1)
  await nc.close()
})

test('a message of a project is left by replicas that know no projects, one of the default project is not', async () => {
  await platform.send(takes, { id: 'ours', value: { n: 1 } })
  await runInProject('acme', () => platform.send(takes, { id: 'theirs', value: { n: 2 } }))
  const nc = await connect({ servers: servers.natsUrl })
  const { streams: streamApi } = await nc.jetstreamManager()
  const names = namesOf(space)
  const sent = async (subject: string) =>
    (await streamApi.getMessage(names.jobs, { last_by_subj: subject })).json<JobMessage>()
  expect(await sent(names.job(takes, 'ours'))).toMatchObject({ id: 'ours', version: 1 })
  const subject = runInProject('acme', () => names.job(takes, 'theirs'))
  expect(await sent(subject)).toMatchObject({ id: 'theirs', version: 2, project: 'acme' })
  await nc.close()
})

test('payloads and values that are too large for a message travel as artifacts', async () => {
  work(async (payload) => ({ text: `${(payload as { n: number; text?: string }).text}!` }))
  const text = 'x'.repeat(300_000)
  await platform.send(takes, {
    id: 'large',
    value: { text },
    replyTo: { subject: answers, correlation: 'l' },
  })
  const { outcome } = await reply('l')
  expect(outcome).toEqual({ status: 'done', value: { artifact: expect.any(String) } })
  if (outcome.status === 'done')
    expect(await platform.artifacts.unpack(outcome.value)).toEqual({ text: `${text}!` })
})

test('a job that is asked for again and again is computed once, and each asker is answered', async () => {
  let computed = 0
  work(async (_, { used }) => {
    computed++
    used({ cpuSeconds: 1.5 })
    await pauseUnlessAborted(50)
    return computed
  })
  for (const asker of ['x', 'y', 'z']) {
    await send('same', 1, asker)
    await reply(asker === 'x' ? 'x' : asker)
    // Beyond the window in which the broker takes a repetition for the same publish.
    await pauseUnlessAborted(2100)
  }
  expect([computed, replies.length]).toEqual([1, 3])
  expect((await platform.quota.usage(platform.now())).used.cpuSeconds).toBe(1.5)
})

test('a job that is still queued is not queued twice', async () => {
  for (let i = 0; i < 3; i++) {
    await send('queued', 1)
    // Beyond the window in which the broker takes a repetition for the same publish.
    if (i < 2) await pauseUnlessAborted(2100)
  }
  const handled: number[] = []
  work(async ({ n }) => void handled.push(n))
  await reply('queued')
  await pauseUnlessAborted(200)
  expect([handled.length, replies.length]).toEqual([1, 1])
})

test('a worker that dies after storing leaves nothing to compute again', async () => {
  // The state that a kill between storing and acknowledging leaves: an outcome, and a job in the queue.
  await platform.outcomes.begin('stored')
  await platform.outcomes.settle('stored', { status: 'done', value: { inline: 'first' } })
  let computed = 0
  await send('stored', 1)
  work(async () => computed++)
  expect((await reply('stored')).outcome).toEqual({ status: 'done', value: { inline: 'first' } })
  expect(computed).toBe(0)
})

test('two workers on one job: the first outcome counts for both', async () => {
  await platform.outcomes.begin('raced')
  expect((await platform.outcomes.begin('raced')).attempts).toBe(2)
  const one = { status: 'done', value: { inline: 1 } } as const
  const [first, second] = await Promise.all([
    platform.outcomes.settle('raced', one),
    platform.outcomes.settle('raced', one),
  ])
  expect([first, second]).toEqual([one, one])
  expect(await platform.outcomes.settle('raced', { status: 'done', value: { inline: 2 } })).toEqual(one)
})

test('a job that two workers do at the same time uses the project’s budget once', async () => {
  const other = await open()
  const both = Promise.withResolvers<void>()
  let begun = 0
  const handle = async (_: unknown, { used }: JobRun) => {
    used({ cpuSeconds: 2 })
    if (++begun === 2) both.resolve()
    await both.promise
  }
  for (const on of [platform, other]) work(handle, { concurrency: 1 }, on)
  const nc = await connect({ servers: servers.natsUrl })
  // Two messages of one job, as after a delivery that was taken for lost.
  const body = { id: 'twice', payload: { inline: { n: 1 } }, replyTo: { subject: answers, correlation: 'x' } }
  for (const place of ['twice', 'again'])
    await nc.jetstream().publish(namesOf(space).job(takes, place), JSON.stringify(body))
  await nc.close()
  await until(() => begun === 2)
  await reply('x')
  const settled = async () => (await platform.outcomes.begin('twice')).outcome !== undefined
  await until(settled)
  await Promise.all(workers.splice(1).map((worker) => worker.stop(30_000)))
  const sum = async () => {
    await Promise.all([platform.quota.close(), other.quota.close()])
    return (await platform.quota.usage(platform.now())).used.cpuSeconds
  }
  expect(await sum()).toBe(2)
})

test('a value that can’t be packed counts as a failure, and its asker hears why', async () => {
  let tries = 0
  const endless: Record<string, unknown> = {}
  endless['itself'] = endless
  work(async () => (tries++, endless), { attempts: 2 })
  await send('unpackable', 1)
  expect((await reply('unpackable')).outcome).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('circular'),
  })
  expect(tries).toBe(2)
})

test('a value that was packed part by part is stored and answered as it is', async () => {
  const parts = { list: [{ inline: 1 }, { artifact: 'f'.repeat(64), bytes: 9 }] }
  work(async () => new PackedValue(parts))
  await send('packed', 1)
  expect((await reply('packed')).outcome).toEqual({ status: 'done', value: parts })
  expect(await platform.outcomes.find('packed')).toEqual({ status: 'done', value: parts })
})

test('what a sealed job is asked, does and stores is encrypted, and so is what it asks others', async () => {
  const secret = 'an oracle that nobody may read'
  const onward: unknown[] = []
  work(
    async ({ n }, { id }) => {
      if (n === 2) throw new Error(`cannot score ${secret}`)
      await platform.send('jobs.execution.execute', { id: `${id}/onward`, value: secret })
      return n === 0 ? { secret } : new PackedValue({ list: [{ inline: secret }] })
    },
    { attempts: 2 },
  )
  const execute: AnyJob<ServicePlatform> = {
    takes: 'jobs.execution.execute',
    validate: (payload) => payload,
    handle: async (payload) => void onward.push(payload),
  }
  workers.push(startWorker(execute, platform, platform))
  await runSealed(true, () => Promise.all([0, 1, 2].map((n) => send(`s${n}`, n))))
  const ends = await Promise.all([0, 1, 2].map(async (n) => (await reply(`s${n}`)).outcome))
  expect(await Promise.all(ends.slice(0, 2).map((end) => platform.artifacts.unpack(valueOf(end))))).toEqual([
    { secret },
    [secret],
  ])
  expect(ends[2]).toEqual({ status: 'failed', reason: hiddenError })
  await until(() => onward.length === 2)
  await until(async () => (await platform.outcomes.find('s1/onward')) !== null)
  const stored: object[] = []
  for (const name of await listCollectionNames(platform.mongo))
    stored.push(...(await platform.mongo.shared(name).find({}).toArray()))
  expect(JSON.stringify(stored)).not.toContain('oracle')
  expect(await platform.mongo.shared('artifacts').countDocuments()).toBe(0)
  const letter = await until(() => platform.bus.dead.next(1))
  expect(letter).toMatchObject({ id: 's2', sealed: true, error: hiddenError })
  expect(JSON.stringify(letter)).not.toContain('oracle')
})
const valueOf = (outcome: JobOutcome) => (outcome.status === 'done' ? outcome.value : { inline: null })

test('a failure is tried again; a job that always fails is dead with its error, and its asker knows', async () => {
  const tries: Record<string, number> = {}
  const reasons: string[] = []
  work(
    async ({ n }, { id }) => {
      tries[id] = (tries[id] ?? 0) + 1
      if (tries[id] <= n) throw new Error(`no luck with ${id}`)
      return 'luck'
    },
    { attempts: 3, ended: async (_payload, { reason }) => void reasons.push(reason) },
  )
  await send('twice', 2)
  await send('always', 99)
  expect((await reply('twice')).outcome).toMatchObject({ status: 'done' })
  expect((await reply('always')).outcome).toEqual({ status: 'failed', reason: 'no luck with always' })
  expect([tries, reasons]).toEqual([{ twice: 3, always: 3 }, ['no luck with always']])
})

test('a job that is cancelled ends as refused: before it begins, or soon while it runs', async () => {
  const cancelled = new Set(['before'])
  const begun: string[] = []
  let heard = false
  work(
    async (_payload, { id, signal }) => {
      begun.push(id)
      await pauseUnlessAborted(60_000, signal)
      heard = signal.aborted
    },
    { cancelled: async (_payload, id) => cancelled.has(id) },
  )
  await send('before', 1)
  await send('while', 1)
  await until(() => begun.includes('while'))
  cancelled.add('while')
  const ends = await Promise.all(['before', 'while'].map(reply))
  expect(ends.map(({ outcome }) => outcome)).toEqual(
    Array(2).fill({ status: 'refused', reason: 'it was cancelled' }),
  )
  await until(() => heard)
  expect(begun).toEqual(['while'])
})

test('what is said to the queue after the connection closed is dropped', async () => {
  const ownPlatform = await open()
  let handled = false
  const late = ownPlatform.bus.consume(takes, { concurrency: 1 }, async (delivery) => {
    await ownPlatform.bus.close()
    for (const say of ['working', 'nak', 'ack'] as const) expect(() => delivery[say]()).not.toThrow()
    handled = true
  })
  await send('late', 1)
  await until(() => handled)
  await late.stop()
})

test('a refusal is final at once', async () => {
  let tries = 0
  work(async () => {
    tries++
    throw new JobRefusal('/n must be even')
  })
  await send('odd', 1)
  expect((await reply('odd')).outcome).toEqual({ status: 'refused', reason: '/n must be even' })
  expect(tries).toBe(1)
})

test('a job that ends its process each time does not go round for ever', async () => {
  for (let i = 0; i < 5; i++) await platform.outcomes.begin('deadly')
  work(async () => 'survived', { attempts: 5 })
  await send('deadly', 1)
  expect((await reply('deadly')).outcome).toEqual({ status: 'failed', reason: 'ended its worker 5 times' })
})

test('no more jobs at a time than allowed, and no fewer', async () => {
  const allowed = 3
  let now = 0
  let largest = 0
  const { promise: full, resolve: fill } = Promise.withResolvers<void>()
  work(
    async () => {
      largest = Math.max(largest, ++now)
      if (now === allowed) fill()
      await full
      await pauseUnlessAborted(30)
      now--
    },
    { concurrency: allowed },
  )
  await Promise.all(Array.from({ length: 12 }, (_, index) => send(`job-${index}`, index)))
  await until(() => replies.length === 12)
  expect(largest).toBe(allowed)
})

test('long work is not given to another while its worker lives', async () => {
  const begun: Record<string, number> = {}
  const slow = async (_payload: unknown, { id }: JobRun) => {
    begun[id] = (begun[id] ?? 0) + 1
    await pauseUnlessAborted(patience(2500))
    return 'slow'
  }
  work(slow, {}, platform, patience(1000))
  work(slow, {}, await open(), patience(1000))
  // Where this process was stopped for so long, its worker did not live.
  await oneOf(5, async (n) => {
    await send(`slow-${n}`, 1)
    expect((await reply(`slow-${n}`)).outcome).toMatchObject({ status: 'done' })
    expect(begun[`slow-${n}`]).toBe(1)
  })
})

test('work that takes too long is aborted, also where it does not listen', async () => {
  work(() => new Promise(() => undefined), { timeoutMs: 50, attempts: 1 })
  await send('endless', 1)
  expect((await reply('endless')).outcome).toEqual({ status: 'failed', reason: 'not done within 50 ms' })
})

test('a stopping worker finishes what it can and hands back the rest, which costs no attempt', async () => {
  const started: string[] = []
  const worker = work(async ({ n }, { id, signal }) => {
    started.push(id)
    await pauseUnlessAborted(n, signal)
    return 'first worker'
  })
  await send('short', 100)
  await send('long', 60_000)
  await until(() => started.length === 2)
  await worker.stop(patience(4000))
  expect((await reply('short')).outcome).toMatchObject({ status: 'done' })
  await send('later', 1)
  await pauseUnlessAborted(100)
  expect(started.toSorted()).toEqual(['long', 'short'])

  work(async () => 'second worker', { attempts: 1 })
  expect((await reply('long')).outcome).toEqual({ status: 'done', value: { inline: 'second worker' } })
  expect((await reply('later')).outcome).toMatchObject({ status: 'done' })
})

test('servers that are killed in the middle and come back: every job is answered once', async () => {
  const computed: Record<string, number> = {}
  work(
    async ({ n }, { id }) => {
      computed[id] = (computed[id] ?? 0) + 1
      await pauseUnlessAborted(20)
      return n
    },
    {},
    platform,
    3000,
  )
  const ids = Array.from({ length: 40 }, (_, index) => `job-${index}`)
  for (const id of ids) await send(id, 1)
  await until(() => replies.length > 5)
  await servers.kill()
  await pauseUnlessAborted(300)
  await servers.restart()
  await until(() => new Set(replies.map(({ jobId }) => jobId)).size === ids.length)
  const values = await Promise.all(ids.map((id) => platform.outcomes.find(id)))
  expect(values.every((outcome) => outcome?.status === 'done')).toBe(true)
})

test('what is no job message is dropped and does not stop the queue', async () => {
  work(async () => 'fine')
  const payload = { inline: { n: 1 } }
  const replyTo = { subject: answers, correlation: 'x' }
  const nonsense = [
    {},
    { payload: {} },
    { payload: { artifact: {} } },
    { payload, replyTo: 5 },
    { payload, replyTo: { ...replyTo, subject: 'jobs.nobody.nothing' } },
    { payload, replyTo: { ...replyTo, subject: {} } },
    { payload, replyTo: { subject: answers } },
  ]
  for (const [n, message] of nonsense.entries())
    await platform.bus.publishJob(
      takes,
      JSON.parse(JSON.stringify({ id: `nonsense-${n}`, ...message })) as JobMessage,
    )
  await send('next', 1)
  expect((await reply('next')).outcome).toMatchObject({ status: 'done' })
  await until(async () => (await platform.bus.waiting(takes)) === 0)
  expect(replies).toHaveLength(1)
})

test('the end of a job whose payload was none is told to nobody, and it is over', async () => {
  const payloads: unknown[] = []
  const validate = (payload: unknown) => {
    if (typeof payload === 'object' && payload !== null && 'n' in payload) return payload
    throw new JobRefusal('send { n }')
  }
  const handle = async ({ n }: { n: number }) => {
    if (n < 0) throw new JobRefusal('n is negative')
  }
  work(handle, { validate, ended: async (payload) => void payloads.push(payload) })
  for (const [id, value] of Object.entries({ text: 'x', none: null, negative: { n: -1 } }))
    await platform.send(takes, { id, value, replyTo: { subject: answers, correlation: id } })
  expect((await reply('text')).outcome).toEqual({ status: 'refused', reason: 'send { n }' })
  expect((await reply('none')).outcome).toEqual({ status: 'refused', reason: 'send { n }' })
  expect((await reply('negative')).outcome).toEqual({ status: 'refused', reason: 'n is negative' })
  expect(payloads).toEqual([{ n: -1 }])
})

test.each(['own', 'none'] as const)(
  'what a server’s absence cuts short counts for nothing in any process: outcome %s',
  async (outcome) => {
    let handled = 0
    const away = () => {
      handled++
      throw new MongoNetworkError('connection closed')
    }
    const first = work(away, { outcome, attempts: 1 })
    await send('cut short', 1)
    await until(() => handled === 2)
    await first.stop(0)
    const { promise: done, resolve } = Promise.withResolvers<unknown>()
    work(
      async () => resolve('done'),
      { outcome, attempts: 1, ended: async () => resolve('ended') },
      await open(),
    )
    expect(await done).toBe('done')
  },
)

test('deliveries to replicas that leave a message to others count for nothing', async () => {
  const first = work(async () => undefined, { outcome: 'own' })
  const nc = await connect({ servers: servers.natsUrl })
  const { jobs, consumer } = namesOf(space)
  await until(() =>
    nc.jetstreamManager().then((manager) =>
      manager.consumers.info(jobs, consumer(takes)).then(
        () => true,
        () => false,
      ),
    ),
  )
  await first.stop(0)
  await send('left', 1)
  const others = await nc.jetstream().consumers.get(jobs, consumer(takes))
  for (let n = 0; n < 6; n++) (await others.next({ expires: 5000 }))!.nak()
  const { promise: done, resolve } = Promise.withResolvers<unknown>()
  work(async () => resolve('done'), { outcome: 'own', attempts: 1, ended: async () => resolve('ended') })
  expect(await done).toBe('done')
  await nc.close()
})

test.each(['stored', 'own', 'none'] as const)(
  'attempts count over all processes: outcome %s',
  async (outcome) => {
    let handled = 0
    const fail = async () => {
      handled++
      throw new Error(`failure ${handled}`)
    }
    const ends: unknown[] = []
    const job = {
      outcome,
      attempts: 4,
      retryDelayMs: () => 200,
      ended: async (_: unknown, end: unknown) => void ends.push(end),
    }
    const first = work(fail, job)
    await send('fails', 1)
    await until(() => handled === 2)
    await first.stop(1000)
    work(fail, job, await open())
    await until(() => ends.length > 0)
    expect(handled).toBe(4)
    expect(ends).toEqual([{ status: 'failed', reason: 'failure 4' }])
  },
)

test.each(['own', 'none'] as const)(
  'a job that is asked for again after its end has all its attempts: outcome %s',
  async (outcome) => {
    let steps: unknown[] = [new Error('an old fault'), new Error('an old fault')]
    const ends: unknown[] = []
    let done = 0
    const handle = async () => {
      const next = steps.shift()
      if (next instanceof Error) throw next
      done++
    }
    work(handle, { outcome, attempts: 2, ended: async (_, end) => void ends.push(end) })
    await send('again', 1, 'first')
    await until(() => ends.length === 1)
    steps = [new MongoNetworkError('connection closed'), 'fine']
    // The queue takes the same id again when it has forgotten the first message.
    await pauseUnlessAborted(2500)
    await send('again', 1, 'second')
    await until(() => done === 1)
    expect(ends).toEqual([{ status: 'failed', reason: 'an old fault' }])
  },
)

test('more slots than a consumer takes requests of: they ask together, and each takes one job', async () => {
  const slots = 600
  const { promise: open, resolve: letGo } = Promise.withResolvers<void>()
  const jobIds = new Set<string>()
  work(
    async ({ n }) => {
      jobIds.add(`slot-${n}`)
      await open
      return n
    },
    { outcome: 'none', concurrency: slots },
  )
  const jobs = slots + 20
  await Promise.all(Array.from({ length: jobs }, (_, n) => send(`slot-${n}`, n)))
  await until(() => jobIds.size >= slots)
  await pauseUnlessAborted(200)
  expect(jobIds.size).toBe(slots)
  letGo()
  await until(() => replies.length === jobs)
  expect(new Set(replies.map(({ correlation }) => correlation)).size).toBe(jobs)
})

test('a consumer that is deleted is made again, and its slots go on', async () => {
  work(async ({ n }) => n, { outcome: 'none' })
  await send('before', 1)
  await reply('before')
  const nc = await connect({ servers: servers.env['NATS_URL'] })
  const jsm = await nc.jetstreamManager()
  const [stream, consumer] = [`${space}-${streams.jobs}`, 'scoring-score']
  await jsm.consumers.delete(stream, consumer)
  await send('after', 2)
  expect(await reply('after')).toMatchObject({ outcome: { status: 'done', value: { inline: 2 } } })
  await nc.close()
})
