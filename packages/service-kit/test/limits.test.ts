/** Limits of projects on a real server: what several replicas count, each with a connection of its own. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import fc from 'fast-check'
import { runInProject, type MongoStore, openMongo, SettingsError } from '../src/index.ts'
import { openClaims } from '../src/limits/claims.ts'
import { findPeriod } from '../src/limits/period.ts'
import { openQuota } from '../src/limits/quota.ts'
import { createRate, countSlotTokens } from '../src/limits/rate.ts'
import { openRules, withDefaults } from '../src/limits/rules.ts'
import { limitDefaults } from '../src/limits/settings.ts'
import { createUsageBook, noAmounts } from '../src/limits/usage.ts'
import { createMetrics } from '../src/metrics.ts'
import { pauseUnlessAborted } from '../src/time.ts'

let servers: Servers
/** Replicas of one installation. */
let replicas: MongoStore[] = []
beforeAll(async () => {
  servers = await startServers()
  const space = namespace()
  const open = () => openMongo({ uri: servers.mongoUri, namespace: space, service: 'evaluation' })
  replicas = [open(), open(), open()]
})
afterAll(async () => {
  for (const mongo of replicas) await mongo.close()
  await servers?.stop()
})

const anyMoment = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

test('periods follow each other without a gap, and each moment lies in its own', () => {
  fc.assert(
    fc.property(anyMoment, fc.option(fc.integer({ min: 1, max: 366 })), (at, periodDays) => {
      const { from, until } = findPeriod(at, { periodDays })
      const day = at.toISOString().slice(0, 10)
      expect(from <= day && day < until).toBe(true)
      expect(findPeriod(new Date(`${until}T00:00:00Z`), { periodDays }).from).toBe(until)
      expect(findPeriod(new Date(`${from}T00:00:00Z`), { periodDays })).toEqual({ from, until })
    }),
  )
  expect(findPeriod(new Date('2026-12-31T23:59:59.999Z'))).toEqual({
    from: '2026-12-01',
    until: '2027-01-01',
  })
})

test('the slots of a second hold exactly the rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (rate) => {
      const slots = Math.min(8, rate)
      const tokens = Array.from({ length: slots }, (_, slot) => countSlotTokens(rate, slot, slots))
      expect(tokens.reduce((sum, one) => sum + one)).toBe(rate)
      expect(Math.min(...tokens)).toBeGreaterThan(0)
    }),
  )
})

test('a process that stops waits for the usage that is being written', async () => {
  const [begun, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const replaceOne = () => {
    begun.resolve()
    return stored.promise
  }
  const quota = openQuota({
    mongo: { shared: () => ({ replaceOne }), ofInstallation: () => ({}) } as unknown as MongoStore,
    projects: { isOpen: async () => true },
    metrics: createMetrics('evaluation'),
    service: 'evaluation',
    defaults: { limits: {}, retention: {} },
    now: () => new Date(),
  })
  quota.used({ requests: 1 })
  await begun.promise
  let closed = false
  const closing = quota.close().then(() => (closed = true))
  await pauseUnlessAborted(50)
  expect(closed).toBe(false)
  stored.resolve()
  await closing
})

test.each([1, 5, 30])(
  'three replicas let %i requests through in a second, however many come',
  async (rate) => {
    let second = 1000 + rate * 10
    const now = () => new Date(second * 1000 + 500)
    await runInProject(`rate-${rate}`, async () => {
      const rates = replicas.map((mongo) => createRate(mongo, now))
      for (let n = 0; n < 2; n++, second++) {
        const admissions = await Promise.all(
          Array.from({ length: 99 }, async (_, at) => rates[at % 3]!.take(rate)),
        )
        expect(admissions.filter(Boolean).length).toBe(rate)
      }
    })
  },
)

test('what replicas count is summed once, however often it is written, day by day', async () => {
  let at = new Date('2026-03-31T23:59:00Z')
  await runInProject('counted', async () => {
    const books = replicas.map((mongo, n) => createUsageBook(mongo, `replica-${n}`, () => at))
    for (const book of books) {
      book.add({ requests: 2, cpuSeconds: 0.5 })
      book.add({ requests: 1 })
      await Promise.all([book.flush(), book.flush(), book.flush()])
    }
    at = new Date('2026-04-01T00:00:01Z')
    books[0]!.add({ requests: 10, usd: 0.25 })
    await books[0]!.flush()
    const march = { from: '2026-03-01', until: '2026-04-01' }
    const april = { from: '2026-04-01', until: '2026-05-01' }
    for (const book of books) {
      expect(await book.sum(march)).toEqual({ ...noAmounts, requests: 9, cpuSeconds: 1.5 })
      expect(await book.sum(april)).toEqual({ ...noAmounts, requests: 10, usd: 0.25 })
    }
    // The clock is set back: what was counted on that day stays.
    at = new Date('2026-03-31T23:59:59Z')
    books[0]!.add({ requests: 1 })
    await books[0]!.flush()
    expect((await books[1]!.sum(march)).requests).toBe(10)
  })
  const other = createUsageBook(replicas[0]!, 'replica-0', () => at)
  expect(await runInProject('others', () => other.sum({ from: '2026-01-01', until: '2027-01-01' }))).toEqual(
    noAmounts,
  )
})

test('of work that begins at the same time on several replicas, as much gets a place as may run', async () => {
  const running = new Set<string>(['before'])
  const ended = new Set<string>()
  const work = { running: async () => [...running], hasEnded: async (id: string) => ended.has(id) }
  await runInProject('placed', async () => {
    const claims = replicas.map((mongo) => openClaims(mongo, 'evaluations', () => new Date()))
    const begin = async (id: string, at: number) => {
      const may = await claims[at % 3]!.take(id, 4, work)
      if (may) running.add(id)
      return may ? id : null
    }
    for (let round = 0; round < 3; round++) {
      const ids = Array.from({ length: 9 }, (_, n) => `ev_${round}_${n}`)
      const begun = (await Promise.all(ids.map(begin))).filter((id) => id !== null)
      // One runs that has no place, as there was no limit when it began.
      expect(begun.length).toBe(3)
      expect(await Promise.all(begun.map(begin))).toEqual(begun)
      for (const id of begun) {
        running.delete(id)
        ended.add(id)
      }
    }
    expect(await replicas[0]!.shared('claims').countDocuments()).toBeLessThanOrEqual(4)
  })
})

test('own limits come before defaults, name by name; null lifts a default', async () => {
  const defaults = limitDefaults({
    STATEEVAL_LIMITS: ['requestsPerSecond=5', 'usd=1.5', 'cpuSeconds=60'],
    STATEEVAL_RETENTION_DAYS: 30,
  })
  const ownLimits = { requestsPerSecond: null, builds: 2, budget: { usd: null, promptTokens: 7 } }
  expect(withDefaults(ownLimits, defaults.limits)).toEqual({
    requestsPerSecond: null,
    builds: 2,
    budget: { usd: null, promptTokens: 7, cpuSeconds: 60 },
  })
  const [one, other] = replicas.map((mongo) => openRules(mongo, defaults)) as [
    ReturnType<typeof openRules>,
    ReturnType<typeof openRules>,
  ]
  await one.setLimits('acme', ownLimits)
  await one.setLimits('acme', { builds: 3 })
  expect(await other.limits('acme')).toEqual({ ...defaults.limits, builds: 3 })
  expect(await other.retention('acme')).toEqual({ days: 30 })
  await one.setRetention('acme', { days: null })
  expect(await other.retention('acme')).toEqual({ days: null })
  await one.remove('acme')
  expect(await other.ownRules('acme')).toEqual({ limits: {}, retention: {} })
})

test('while the store is away, requests go on by what was known, and nobody waits for it', async () => {
  let isAway = false
  const mongo = {
    ofInstallation: (name: string) => ({
      ...replicas[0]!.ofInstallation(name),
      findOne: async () => {
        if (isAway) throw new Error('away')
        return { text: '{"builds":1}' }
      },
    }),
  } as unknown as MongoStore
  let at = 0
  const defaults = { limits: { builds: 9 }, retention: {} }
  const rules = openRules(mongo, defaults, () => at)
  expect(await rules.limits('acme')).toEqual({ builds: 1 })
  expect(rules.limits('acme')).toEqual({ builds: 1 })
  isAway = true
  at = 10_000
  expect(await rules.limits('acme')).toEqual({ builds: 1 })
  expect(await rules.limits('other')).toEqual({ builds: 9 })
  at = 20_000
  expect(rules.limits('acme')).toEqual({ builds: 1 })
  await expect(rules.limitsNow('acme')).rejects.toThrow('away')
})

test.each([['requestsPerSecond'], ['speed=1'], ['requestsPerSecond=0'], ['evaluations=1.5']])(
  'a default of %p is refused with its name',
  (entry) => {
    const read = () => limitDefaults({ STATEEVAL_LIMITS: [entry], STATEEVAL_RETENTION_DAYS: undefined })
    expect(read).toThrow(SettingsError)
    expect(read).toThrow(entry.split('=')[0])
  },
)
