/**
 * The service on real servers, the others as stand-ins: what a caller sees, and what crashes may not change.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { readServerEvents } from '@stateeval/client'
import { getFirstAnswer } from '@stateeval/program'
import { evaluationOperations as operations } from '@stateeval/contracts'
import { pauseUnlessAborted, JobRefusal, startService } from '@stateeval/service-kit'
import {
  answerFault,
  contractFaults,
  namespace,
  nonsenseFaults,
  type Servers,
  startServers,
  until,
} from '@stateeval/testkit'
import { startScriptedModel } from '../../../packages/testkit/src/scripted-model.ts'
import { fastify } from 'fastify'
import { evaluation } from '../src/app.ts'
import type { EvaluationContext } from '../src/context.ts'
import { serveDashboard } from '../src/dashboard/files.ts'
import { limitSection } from '../src/routes/evaluation-summary.ts'
import { type FakedOptions, startFakes, startWithFakes, type WithFakes } from './fake-services.ts'
import { benchmark } from '../../../packages/flows/test/fakes.ts'

// Machines that are busy with other tests are slow; nothing here waits for a time to pass.

let servers: Servers
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers?.stop())

/** Packages whose handlers the service composes. */
const rooms = [
  'packages/jobs',
  'packages/webhooks',
  'packages/administration',
  'packages/sets',
  'packages/environment',
]

interface World extends WithFakes {
  context: EvaluationContext
}
const worlds: World[] = []
async function start(options: FakedOptions = {}): Promise<World> {
  const started = await startWithFakes(servers, { sweepEveryMs: 300, ...options })
  const world = { ...started, context: started.running.context as EvaluationContext }
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop()
})

async function call(
  { running }: World,
  id: keyof typeof operations,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await running.app.inject({
    method: operations[id].method,
    url: path,
    headers,
    ...(body !== undefined && { payload: body as object }),
  })
  expect(answerFault(operations, id, response)).toBeNull()
  const json =
    String(response.headers['content-type']).includes('json') &&
    !String(response.headers['content-type']).includes('jsonl')
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: json ? response.json() : null,
  }
}
const ended = (world: World, id: 'getBenchmark' | 'getEvaluation', path: string) =>
  until(async () => {
    const { status, body } = await call(world, id, path)
    return status === 200 && body.status !== 'running' && body.status !== 'queued' && body
  })
const options = { scenario: 'session-service', programs: 12, keep: 6, length: 3, seed: 1 }
async function buildSet(world: World, build: object = options) {
  const { status, body } = await call(world, 'createBenchmark', '/v1/benchmarks', { build })
  expect(status).toBe(202)
  const done = await ended(world, 'getBenchmark', `/v1/benchmarks/${body.id}`)
  expect(done).toMatchObject({ status: 'succeeded' })
  return done
}
async function evaluated(world: World, request: object) {
  const { status, body } = await call(world, 'createEvaluation', '/v1/evaluations', request)
  expect([status, body]).toEqual([202, expect.anything()])
  return ended(world, 'getEvaluation', `/v1/evaluations/${body.id}`)
}
const report = async (world: World, id: string) =>
  (await call(world, 'getEvaluationReport', `/v1/evaluations/${id}/report`)).body

test('every operation has its route file, a fitting example and its errors', () => {
  const root = join(import.meta.dirname, '../../..')
  const folders = ['services/evaluation', ...rooms].map((folder) => join(root, folder, 'src/routes'))
  expect(contractFaults(operations, ...folders)).toEqual([])
})

test('nonsense is refused with a problem that helps, and breaks nothing', async () => {
  const { running } = await start()
  expect(await nonsenseFaults(running.app, operations)).toEqual([])
})

test('a set is built, and reference and mutant are evaluated on it', async () => {
  const world = await start()
  const set = await buildSet(world)
  expect(set.manifest).toMatchObject({ counts: { generated: 12, kept: 6 }, kind: 'stateeval', seed: 1 })
  expect(set.manifest.filtered).toContainEqual({
    scenario: 'session-service',
    phase: 'generate',
    reason: 'dead end',
    count: 2,
  })
  const reference = await evaluated(world, { benchmark: set.id, model: 'reference' })
  expect(reference).toMatchObject({
    status: 'succeeded',
    counts: { samples: 6, scored: 6, passed: 6, notScored: 0 },
  })
  const { result, run } = await report(world, reference.id)
  expect(result.overall).toMatchObject({ passed: 6, scored: 6, rate: 1 })
  // The build replayed every oracle on this runtime, so the check is known.
  expect(run.baselineCheck).toMatchObject({
    status: 'passed',
    cases: 6,
    cached: true,
    runtime: 'fake runtime',
  })
  const mutant = await evaluated(world, { benchmark: set.id, model: 'mutant', samples: 5 })
  const outcomes = (await report(world, mutant.id)).result.samples.map(
    (sample: { mutant: { operator: string; outcome: string } }) => sample.mutant,
  )
  expect(outcomes).toHaveLength(30)
  const expected: Record<string, string> = {
    throws: 'caught_by_exception',
    differs: 'caught_by_comparison',
    survives: 'survived',
    equivalent: 'equivalent',
  }
  for (const { operator, outcome } of outcomes) expect(outcome).toBe(expected[operator])
  const page = (await call(world, 'getEvaluationResults', `/v1/evaluations/${mutant.id}/results?limit=20`))
    .body
  expect([page.items.length, page.next]).toEqual([20, '20'])
  const events = (await call(world, 'getEvaluationEvents', `/v1/evaluations/${mutant.id}/events`)).text
  expect(events).toContain('event: end')
  const summaryPath = `/v1/evaluations/${mutant.id}/summary`
  const summary = (await call(world, 'getEvaluationSummary', summaryPath)).body
  const whole = (await report(world, mutant.id)).result
  expect(summary.result.samples).toBeUndefined()
  expect([summary.result.overall, summary.result.groups]).toEqual([whole.overall, whole.groups])
  expect(summary.run).toMatchObject({ kind: set.kind, samples: 30 })
  const samplesPath = `/v1/evaluations/${mutant.id}/samples`
  const table = (await call(world, 'listEvaluationSamples', `${samplesPath}?passed=no&from=1&limit=2`)).body
  const failed = whole.samples.filter(({ score }: { score: { passed: boolean } }) => !score.passed)
  expect([table.ended, table.total, table.items.length]).toEqual([30, failed.length, 2])
  expect(table.items[0]).toMatchObject({ case: failed[1].case, sample: failed[1].sample, passed: false })
  expect(Object.values(table.groups)).toEqual([30])
  const named = encodeURIComponent(`${failed[1].case} ${failed[1].score.verdict.toUpperCase()}`)
  const found = (await call(world, 'listEvaluationSamples', `${samplesPath}?search=${named}&passed=no`)).body
  expect(found.items.map((row: { case: string }) => row.case)).toContain(failed[1].case)
  const rowsOf = async (query: string) =>
    (await call(world, 'listEvaluationSamples', `${samplesPath}?limit=500&${query}`)).body
  const { verdict } = failed[1].score
  const matching = await rowsOf(`pattern=${encodeURIComponent(`^${verdict}$`)}&in=error&order=falling`)
  expect(matching.total).toBe(table.verdicts[verdict])
  expect(matching.items[0].place).toBeGreaterThan(matching.items.at(-1).place)
  const worse = await rowsOf(`baseline=${reference.id}&differs=worse&sort=verdict`)
  expect(worse.items.every((row: { baseline: number }) => row.baseline === 1)).toBe(true)
  expect(new Set(worse.items.map((row: { case: string }) => row.case))).toEqual(
    new Set(failed.map((one: { case: string }) => one.case)),
  )
  expect((await rowsOf(`baseline=${reference.id}&differs=better`)).total).toBe(0)
  expect([(await rowsOf('pattern=(')).field, (await rowsOf('differs=any')).field]).toEqual([
    'pattern',
    'baseline',
  ])
  expect((await rowsOf('baseline=ev_none')).status).toBe(422)
  const detailPath = `${samplesPath}/${table.items[0].place}`
  const detail = (await call(world, 'getEvaluationSample', detailPath)).body
  expect(detail.scored).toEqual(failed[1])
  expect(detail.candidate.said.attempts.length).toBeGreaterThan(0)
  expect(detail.candidate.runs.length).toBeGreaterThan(0)
  expect(detail.expected.length).toBeGreaterThan(0)
  expect((await call(world, 'getEvaluationSample', `${samplesPath}/30`)).status).toBe(404)
  const { items: kinds } = (await call(world, 'listBenchmarkKinds', '/v1/kinds')).body
  const listedKind = kinds.find(({ kind }: { kind: string }) => kind === set.kind)
  expect(listedKind.promptings).toContain('direct')
  expect(listedKind.policies).not.toEqual([])
  expect(listedKind.scenarios.map(({ id }: { id: string }) => id)).toContain('session-service')
  const { body: coverage } = await call(world, 'getBenchmarkCoverage', `/v1/benchmarks/${set.id}/coverage`)
  const [covered] = coverage.scenarios
  expect(covered.kept.points.at(-1)).toMatchObject({
    programs: set.manifest.counts.kept,
    atc: set.manifest.statistics[0].atc,
  })
  expect(covered.generated.programs).toBe(set.manifest.counts.generated)
  const neighbours = covered.pairs.filter(({ adjacent }: { adjacent: number }) => adjacent > 0)
  expect(neighbours.length / covered.apis.length ** 2).toBeCloseTo(covered.kept.points.at(-1).atc)
  const { body: trip } = await call(world, 'getBenchmarkRoundTrip', `/v1/benchmarks/${set.id}/round-trip`)
  const { kept } = set.manifest.counts
  // The translator of this test says something else than instructions.
  expect(trip).toMatchObject({ cases: kept, verified: 0, others: { length: kept } })
})

test('tags are changed and found by; readers at any replica are told, and after a break what they missed', async () => {
  const ns = namespace()
  const [world, other] = [await start({ ns }), await start({ ns })]
  const set = await buildSet(world, { ...options, programs: 4, keep: 2 })
  type Told = { id: string; event: string; data: { id?: string; tags?: string[]; missed?: boolean } }
  const leaving = new AbortController()
  /** What is told from now on, or since then. */
  const follow = (since?: string) => {
    const told: Told[] = []
    const headers: Record<string, string> = since === undefined ? {} : { 'last-event-id': since }
    const url = `${other.running.url}/v1/evaluation-events`
    const read = async () => {
      for await (const { id = '', event, data } of readServerEvents(url, { headers, signal: leaving.signal }))
        told.push({ id, event, data: JSON.parse(data) as Told['data'] })
    }
    void read().catch(() => undefined)
    return told
  }
  const events = follow()
  const request = { benchmark: set.id, model: 'reference' }
  const first = await evaluated(world, { ...request, tags: ['nightly', 'draft'] })
  const second = await evaluated(world, request)
  expect([first.tags, second.tags]).toEqual([['draft', 'nightly'], undefined])
  const tag = (id: string, body: object) =>
    call(world, 'changeEvaluationTags', `/v1/evaluations/${id}/tags`, body)
  const tagged = await tag(first.id, { add: ['team:search', 'nightly'], remove: ['draft'] })
  expect(tagged.body.tags).toEqual(['nightly', 'team:search'])
  const withTag = async (name: string) =>
    (await call(world, 'listEvaluations', `/v1/evaluations?tag=${name}&limit=1`)).body
  expect((await withTag('team:search')).items).toEqual([tagged.body])
  expect([await withTag('draft'), (await withTag('a%20b')).field]).toEqual([{ items: [] }, 'tag'])
  expect((await tag(first.id, { add: ['x'], remove: ['x'] })).body.detail).toMatch(/both added and removed/)
  const many = Array.from({ length: 19 }, (_, n) => `t${n}`)
  expect((await tag(first.id, { add: many })).body).toMatchObject({ status: 422, field: '/add' })
  expect((await tag('ev_none', { add: ['x'] })).status).toBe(404)
  await call(world, 'deleteEvaluation', `/v1/evaluations/${second.id}`)
  const last = (told: Told[], id: string) => told.findLast(({ data }) => data.id === id)?.data
  // The tags before were two as well.
  await until(
    () =>
      last(events, second.id)?.tags === undefined && last(events, first.id)?.tags?.includes('team:search'),
  )
  await until(() => events.some(({ event, data }) => event === 'removed' && data.id === second.id))
  expect(events[0]).toMatchObject({ event: 'start', data: { missed: false } })
  expect(last(events, first.id)).toEqual(tagged.body)
  await tag(first.id, { add: ['late'] })
  const missed = follow(events.at(-1)!.id)
  await until(() => last(missed, first.id)?.tags?.includes('late'))
  const tooLate = follow('2020-01-01T00:00:00.000Z')
  await until(() => tooLate.length > 0)
  expect(tooLate[0]!.data).toEqual({ missed: true })
  leaving.abort()
  const headers = { 'last-event-id': '7' }
  expect(
    (await call(other, 'followEvaluations', '/v1/evaluation-events', undefined, headers)).body,
  ).toMatchObject({ status: 400, field: 'Last-Event-ID' })
})

test('rows and lines beyond what a summary may have are counted', () => {
  const rows = Array.from({ length: 203 }, (_, n) => [`a${n}`, n])
  expect(limitSection({ title: 'T', table: { head: ['a', 'b'], rows } })).toMatchObject({
    title: 'T',
    more: 3,
    table: { rows: { length: 200 } },
  })
  const parts = { label: 'l', names: 'n', sum: 's', parts: ['p'] }
  const counts = rows.map(([name]) => ({ name: String(name), counts: [1] }))
  expect(limitSection({ parts: { ...parts, rows: counts } })).toMatchObject({ more: 3 })
  expect(limitSection({ lines: ['first', ...rows.map(String)] })).toMatchObject({
    more: 3,
    lines: { length: 201 },
  })
  expect(limitSection({ lines: ['first'] })).toEqual({ lines: ['first'] })
})

test('the dashboard is public and says how it is built; what it shows is not', async () => {
  const env = { STATEEVAL_ACCESS: 'required', STATEEVAL_ADMIN_KEY: 'k'.repeat(40) }
  const { running } = await start({ env })
  expect((await running.app.inject('/v1/evaluations')).statusCode).toBe(401)
  const app = fastify()
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-dashboard-'))
  await mkdir(join(folder, 'assets'))
  await serveDashboard(app, folder)
  for (const server of [app, running.app]) {
    const { headers } = await server.inject('/evaluations/ev_1/cases?passed=no')
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'.*require-trusted-types-for 'script'/,
    )
    expect(headers['cache-control']).toBe('no-cache')
  }
  const unbuilt = await app.inject('/')
  expect([unbuilt.statusCode, unbuilt.body]).toEqual([
    503,
    expect.stringMatching(/node apps\/dashboard\/build.ts/),
  ])
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'assets/index-1.js'), '1')
  expect((await app.inject('/')).body).toBe('<!doctype html>')
  const { headers } = await app.inject('/assets/index-1.js')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await app.inject('/assets/..%2findex.html')).statusCode).toBeGreaterThanOrEqual(400)
  await app.close()
  await rm(folder, { recursive: true })
})

test('the same seed gives the same bytes, whatever is in flight; another seed another sample', async () => {
  const wide = await start()
  const narrow = await start({ env: { STATEEVAL_WINDOW: '1', STATEEVAL_CONCURRENCY: '1' } })
  const sets = [await buildSet(wide), await buildSet(wide), await buildSet(narrow)]
  const files = await Promise.all(
    sets.flatMap(({ id }, at) =>
      ['manifest.json', 'cases.jsonl', 'README.md'].map(
        async (file) =>
          (await call(at === 2 ? narrow : wide, 'getBenchmarkFile', `/v1/benchmarks/${id}/files/${file}`))
            .text,
      ),
    ),
  )
  expect(files.slice(3, 6)).toEqual(files.slice(0, 3))
  expect(files.slice(6, 9)).toEqual(files.slice(0, 3))
  expect(sets[1].id).not.toBe(sets[0].id)
  const results = await Promise.all(
    sets.map(async ({ id }, at) => {
      const world = at === 2 ? narrow : wide
      return JSON.stringify(
        (await report(world, (await evaluated(world, { benchmark: id, model: 'mutant', samples: 2 })).id))
          .result,
      )
    }),
  )
  expect(new Set(results).size).toBe(1)
  expect((await buildSet(wide, { ...options, seed: 2 })).manifest.digest).not.toBe(sets[0].manifest.digest)
})

test('messages that are lost, repeated and stale change nothing', async () => {
  const calm = await start()
  const set = await buildSet(calm)
  const expected = JSON.stringify(
    (await report(calm, (await evaluated(calm, { benchmark: set.id, model: 'mutant', samples: 3 })).id))
      .result,
  )

  const world = await start()
  const { send } = world.context.platform
  let count = 0
  // Every third message is lost, every fifth comes twice, every seventh a second later.
  world.context.platform.send = async (subject, job) => {
    count++
    if (count % 3 === 0) return
    await send(subject, job)
    if (count % 5 === 0) await send(subject, job)
    if (count % 7 === 0) setTimeout(() => void send(subject, job).catch(() => undefined), 1000)
  }
  const again = await buildSet(world)
  expect(again.manifest.digest).toBe(set.manifest.digest)
  const evaluation = await evaluated(world, { benchmark: again.id, model: 'mutant', samples: 3 })
  expect(evaluation.counts).toMatchObject({ samples: 18, scored: 18 })
  expect(JSON.stringify((await report(world, evaluation.id)).result)).toBe(expected)
})

test('a coordinator that is killed in the middle is replaced; the result is the same', async () => {
  const calm = await start()
  const expected = JSON.stringify(
    (
      await report(
        calm,
        (await evaluated(calm, { benchmark: (await buildSet(calm)).id, model: 'mutant', samples: 4 })).id,
      )
    ).result,
  )
  const ns = namespace()
  let blocked = false
  const first = await start({
    ns,
    disturb: async (_, id) =>
      void (blocked && id.startsWith('ev_') && (await new Promise((resolve) => setTimeout(resolve, 50)))),
  })
  const set = await buildSet(first)
  blocked = true
  const { body } = await call(first, 'createEvaluation', '/v1/evaluations', {
    benchmark: set.id,
    model: 'mutant',
    samples: 4,
  })
  await until(
    async () => (await call(first, 'getEvaluation', `/v1/evaluations/${body.id}`)).body.counts.scored > 3,
  )
  // Dying: it sends and stores nothing more, and what it holds comes again elsewhere.
  const never = () => new Promise<never>(() => undefined)
  first.context.platform.send = never
  first.context.collections.results.put = never
  await pauseUnlessAborted(100)
  worlds.splice(worlds.indexOf(first), 1)
  await first.fakes.stop()
  await first.running.stop(0)
  const second = await start({ ns })
  const done = await ended(second, 'getEvaluation', `/v1/evaluations/${body.id}`)
  expect(done).toMatchObject({ status: 'succeeded', counts: { samples: 24 } })
  expect(JSON.stringify((await report(second, body.id)).result)).toBe(expected)
})

test('a set whose reference answers do not pass is refused, with the cases named', async () => {
  const world = await start()
  const set = await buildSet(world)
  await world.context.collections.baselineChecks.drop(set.manifest.digest)
  await world.fakes.stop()
  const ids = (await call(world, 'listBenchmarkCases', `/v1/benchmarks/${set.id}/cases`)).body.items.map(
    ({ id }: { id: string }) => id,
  )
  const broken = startFakes(world.running, {
    disturb: async (kind, id) => {
      // Refused, so no later try would end otherwise.
      if (kind === 'score' && id.includes('/check/0000001'))
        throw new JobRefusal('its oracle is of another version')
    },
  })
  world.fakes = broken
  worlds.splice(0, 1, { ...world, fakes: broken })
  const refused = await evaluated(world, { benchmark: set.id, model: 'reference' })
  expect(refused.status).toBe('failed')
  expect(refused.error).toContain(ids[2])
  expect((await call(world, 'resumeEvaluation', `/v1/evaluations/${refused.id}/resume`)).status).toBe(409)
})

test('what cannot be run here is refused at once with the remedy, and goes on once it can', async () => {
  const javascript = {
    id: 'session-service',
    languages: ['javascript' as const],
    unavailable: { python: 'No python3. Install it.' },
  }
  const nothing = {
    ...javascript,
    languages: [],
    unavailable: { javascript: 'No Node. Install it.', python: 'No python3. Install it.' },
  }
  let here: (typeof javascript | typeof nothing)[] = [javascript]
  let away = false
  const world = await start({
    worlds: () => here,
    disturb: async (kind) => {
      if (kind === 'execute' && away) throw new Error('execution is away')
    },
  })
  const problem = async (...args: [keyof typeof operations, string, unknown]) => {
    const { status, body } = await call(world, ...args)
    return [status, body.field, body.detail]
  }
  const why = 'programs in python cannot be run against session-service here: No python3. Install it.'
  expect(
    await problem('createBenchmark', '/v1/benchmarks', {
      build: { ...options, languages: ['javascript', 'python'] },
    }),
  ).toEqual([422, '/build/languages', why])
  // Without a word about them, a build takes those that run.
  const set = await buildSet(world)
  expect(set.build.languages).toEqual(['javascript'])

  here = [nothing]
  const refusal = 'programs in javascript cannot be run against session-service here: No Node. Install it.'
  expect(
    await problem('createEvaluation', '/v1/evaluations', { benchmark: set.id, model: 'reference' }),
  ).toEqual([422, '/language', refusal])
  here = [javascript]
  away = true
  const { id, error } = await evaluated(world, { benchmark: set.id, model: 'reference' })
  expect(error).toContain('the baseline check could not be finished')
  here = [nothing]
  expect(await problem('resumeEvaluation', `/v1/evaluations/${id}/resume`, {})).toEqual([
    422,
    undefined,
    refusal,
  ])
  here = [javascript]
  away = false
  expect((await call(world, 'resumeEvaluation', `/v1/evaluations/${id}/resume`, {})).status).toBe(202)
  expect(await ended(world, 'getEvaluation', `/v1/evaluations/${id}`)).toMatchObject({
    status: 'succeeded',
    counts: { passed: 6 },
  })
})

test('a build whose languages nobody can tell waits for a word about them', async () => {
  const running = await startService(evaluation, {
    env: { ...servers.env, STATEEVAL_NAMESPACE: namespace(), PORT: '0', LOG_LEVEL: 'silent' },
  })
  await running.platform.bus.ready()
  const post = (build: object) =>
    running.app.inject({ method: 'POST', url: '/v1/benchmarks', payload: { build } })
  const refused = await post(options)
  expect([refused.statusCode, refused.json().detail]).toEqual([
    503,
    expect.stringContaining('name them in languages'),
  ])
  expect((await post({ ...options, languages: ['python'] })).statusCode).toBe(202)
  await running.stop(1000)
})

test('a model at an endpoint is asked for every sample; answers made elsewhere are scored alike', async () => {
  const world = await start({ env: {} })
  const set = await buildSet(world)
  const cases = (await call(world, 'listBenchmarkCases', `/v1/benchmarks/${set.id}/cases`)).body.items
  const prompts = (await call(world, 'getBenchmarkPrompts', `/v1/benchmarks/${set.id}/prompts`)).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(prompts.map((prompt) => prompt.case)).toEqual(cases.map(({ id }: { id: string }) => id))
  const codeFor = (instruction: string) =>
    getFirstAnswer(
      benchmark.player(
        cases.find((c: { instruction: string }) => c.instruction === instruction),
        { language: 'javascript', prompting: 'direct' },
      ),
    ) as string
  const server = await startScriptedModel(({ messages, count }) =>
    count === 1 ? { status: 500 } : { say: codeFor(messages[0]?.content ?? '') },
  )
  try {
    expect(
      (
        await call(world, 'putModel', '/v1/models/mine', {
          baseUrl: server.baseUrl,
          model: 'x',
          concurrency: 2,
        })
      ).status,
    ).toBe(200)
    const done = await evaluated(world, { benchmark: set.id, model: 'mine', samples: 2 })
    expect(done).toMatchObject({ status: 'succeeded', counts: { samples: 12, passed: 12 } })
    expect((await report(world, done.id)).run.usage).toEqual({
      requests: 13,
      promptTokens: 120,
      completionTokens: 60,
    })
    expect(server.peak).toBeLessThanOrEqual(2)
  } finally {
    await server.close()
  }
  const answers = prompts
    .slice(1)
    .map((prompt) => ({ case: prompt.case, answer: codeFor(prompt.messages[0].content) }))
  const byHand = await evaluated(world, { benchmark: set.id, answers, partial: true, label: 'by-hand' })
  expect(byHand).toMatchObject({
    status: 'succeeded',
    model: 'by-hand',
    counts: { samples: 6, passed: 5, notScored: 1 },
  })
})

test('a folder goes out and comes in byte for byte; a torn file is named', async () => {
  const world = await start()
  const set = await buildSet(world)
  const file = async (name: string) =>
    (await call(world, 'getBenchmarkFile', `/v1/benchmarks/${set.id}/files/${name}`)).text
  const folder = {
    manifest: JSON.parse(await file('manifest.json')),
    cases: await file('cases.jsonl'),
    readme: await file('README.md'),
  }
  const other = await start()
  const imported = await call(other, 'importBenchmark', '/v1/benchmarks/import', folder)
  expect(imported.body).toMatchObject({ status: 'succeeded', origin: 'import', manifest: set.manifest })
  expect((await call(other, 'importBenchmark', '/v1/benchmarks/import', folder)).body.id).toBe(
    imported.body.id,
  )
  expect(
    (await call(other, 'getBenchmarkFile', `/v1/benchmarks/${imported.body.id}/files/cases.jsonl`)).text,
  ).toBe(folder.cases)
  expect(await evaluated(other, { benchmark: imported.body.id, model: 'reference' })).toMatchObject({
    status: 'succeeded',
    counts: { passed: 6 },
  })

  const torn = async (change: object) =>
    (await call(other, 'importBenchmark', '/v1/benchmarks/import', { ...folder, ...change })).body
  expect(await torn({ cases: folder.cases.slice(0, -10) })).toMatchObject({
    status: 422,
    field: '/cases',
    detail: expect.stringContaining('cases.jsonl is damaged'),
  })
  expect(await torn({ readme: 'x' })).toMatchObject({
    status: 422,
    detail: expect.stringContaining('README.md is damaged'),
  })
  expect(await torn({ manifest: { ...folder.manifest, seed: 9 } })).toMatchObject({
    status: 422,
    detail: expect.stringContaining('manifest.json is damaged'),
  })
  expect(await torn({ artifacts: { ['0'.repeat(64)]: 'AAAA' } })).toMatchObject({
    status: 422,
    detail: expect.stringContaining('artifacts/000'),
  })
})

test('cancelling stops, resuming goes on, and nothing is counted twice', async () => {
  const world = await start({
    disturb: async (_, id) =>
      void (id.startsWith('ev_') && (await new Promise((resolve) => setTimeout(resolve, 30)))),
  })
  const set = await buildSet(world)
  const { body } = await call(world, 'createEvaluation', '/v1/evaluations', {
    benchmark: set.id,
    model: 'reference',
    samples: 10,
  })
  await until(
    async () => (await call(world, 'getEvaluation', `/v1/evaluations/${body.id}`)).body.counts.scored > 5,
  )
  expect((await call(world, 'cancelEvaluation', `/v1/evaluations/${body.id}/cancel`)).body.status).toBe(
    'cancelled',
  )
  expect((await call(world, 'resumeEvaluation', `/v1/evaluations/${body.id}/resume`)).status).toBe(202)
  expect(await ended(world, 'getEvaluation', `/v1/evaluations/${body.id}`)).toMatchObject({
    status: 'succeeded',
    counts: { samples: 60, scored: 60, passed: 60 },
  })
})

test('an evaluation of a set with a case that is lost ends at once, names it, and goes on when it is there again', async () => {
  const world = await start()
  const set = await buildSet(world)
  const cases = world.context.platform.mongo.collection<{ text: string }>('cases')
  const _id = `${set.id}/0000003`
  const lost = await cases.findOneAndDelete({ _id })
  const failed = await evaluated(world, { benchmark: set.id, model: 'mutant' })
  expect(failed).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(`^cannot continue at ${failed.id}/samples/0000003: ${_id}, a part`),
  })
  await cases.insertOne(lost!)
  expect((await call(world, 'resumeEvaluation', `/v1/evaluations/${failed.id}/resume`, {})).status).toBe(202)
  const done = await ended(world, 'getEvaluation', `/v1/evaluations/${failed.id}`)
  expect(done).toMatchObject({ status: 'succeeded', counts: { samples: 6, notScored: 0 } })
})

test('bad input gets a problem that names the field', async () => {
  const world = await start({ env: {} })
  const problem = async (id: keyof typeof operations, path: string, body?: unknown) => {
    const { status, body: answer } = await call(world, id, path, body)
    return [status, answer.field, answer.detail]
  }
  expect(await problem('createBenchmark', '/v1/benchmarks', { build: { scenario: 'atlantis' } })).toEqual([
    422,
    '/build/scenario',
    expect.stringContaining('session-service'),
  ])
  expect(
    await problem('createBenchmark', '/v1/benchmarks', {
      kind: 'nestful',
      build: { scenario: 'tensor-operation' },
    }),
  ).toEqual([422, '/build/scenario', expect.stringMatching(/by name; available: .*session-service/)])
  expect(await problem('createBenchmark', '/v1/benchmarks', { build: { ...options, length: 0 } })).toEqual([
    400,
    '/build/length',
    expect.anything(),
  ])
  expect(
    await problem('createBenchmark', '/v1/benchmarks', { build: { ...options, programs: 1e9 } }),
  ).toEqual([400, '/build/programs', expect.anything()])
  expect(await problem('createBenchmark', '/v1/benchmarks', { build: { ...options, keep: 50 } })).toEqual([
    422,
    '/build/keep',
    expect.anything(),
  ])
  expect(
    (await problem('createEvaluation', '/v1/evaluations', { benchmark: 'bm_none', model: 'reference' }))[0],
  ).toBe(404)
  const set = await buildSet(world)
  expect(
    await problem('createEvaluation', '/v1/evaluations', { benchmark: set.id, model: 'nobody' }),
  ).toEqual([422, '/model', expect.stringContaining('PUT /v1/models/nobody')])
  expect(await problem('createEvaluation', '/v1/evaluations', { benchmark: set.id })).toEqual([
    422,
    '/model',
    expect.anything(),
  ])
  expect(
    await problem('createEvaluation', '/v1/evaluations', {
      benchmark: set.id,
      model: 'reference',
      prompting: 'reflect',
    }),
  ).toEqual([422, '/prompting', expect.stringContaining('direct')])
  expect(
    await problem('createEvaluation', '/v1/evaluations', {
      benchmark: set.id,
      model: 'reference',
      samples: 1001,
    }),
  ).toEqual([400, '/samples', expect.anything()])
  expect(
    await problem('createEvaluation', '/v1/evaluations', {
      benchmark: set.id,
      answers: [{ case: 'x', answer: '' }],
    }),
  ).toEqual([422, '/answers/0/case', expect.anything()])
  expect(
    await problem('putModel', '/v1/models/m', {
      baseUrl: 'http://127.0.0.1/v1',
      model: 'x',
      keyEnv: 'MONGODB_URI',
    }),
  ).toEqual([422, '/keyEnv', expect.stringContaining('STATEEVAL_KEY_')])
  expect(
    await problem('putModel', '/v1/models/m', { baseUrl: 'http://169.254.169.254/', model: 'x' }),
  ).toEqual([422, '/baseUrl', expect.stringContaining('blocked')])
  expect(
    (await problem('putModel', '/v1/models/reference', { baseUrl: 'http://127.0.0.1/v1', model: 'x' }))[0],
  ).toBe(409)
  expect((await problem('getModel', '/v1/models/none'))[0]).toBe(404)
  expect(
    (await call(world, 'listModels', '/v1/models')).body.items.map(({ name }: { name: string }) => name),
  ).toEqual(['reference', 'mutant'])
})
