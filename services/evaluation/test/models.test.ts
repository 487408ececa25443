/** Models under test over real HTTP, with a scripted endpoint: faults, kills, budgets, recordings, keys. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, Case, Model, Recording, SampleAnswer } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import {
  isLong,
  type Script,
  type ScriptedModel,
  type ScriptedRequest,
  type Servers,
  startScriptedModel,
  startServers,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import { readOpinionPrompts } from '../src/config.ts'
import type { EvaluationContext } from '../src/context.ts'
import { callerAt, caseIn, faulty, solver } from './over-http.ts'

const size = isLong
  ? { programs: 150, keep: 120, samples: 5 }
  : { programs: 8, keep: 6, length: 3, languages: ['javascript'], samples: 2 }

type ScriptedAnswer = Extract<Script, { say: string }>
const caseOf = (id: string) => cases.find((one) => one.id === id)!

const secret = 'sk-never-to-be-seen'
const keys = {
  STATEEVAL_KEY_TEST: secret,
  STATEEVAL_KEY_TEST_HOSTS: '127.0.0.1:*',
  STATEEVAL_KEY_UNSET_HOSTS: '127.0.0.1:*',
  STATEEVAL_KEY_OTHER: secret,
  STATEEVAL_KEY_OTHER_HOSTS: 'api.example.com',
}
let servers: Servers
let suite: Suite
let set: BenchmarkResource
let cases: Case[]
const endpoints: ScriptedModel[] = []
const caller = callerAt(() => suite.urls['evaluation']!)
async function endpoint(rule: (request: ScriptedRequest) => Script): Promise<ScriptedModel> {
  const server = await startScriptedModel(rule)
  endpoints.push(server)
  return server
}

beforeAll(async () => {
  servers = await startServers()
  Object.assign(process.env, keys)
  suite = await startSuite({ servers })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  const { samples: _, ...built } = size
  set = await caller.buildSet({
    scenario: 'elevenlabs-mcp',
    strategy: 'coverage',
    ...built,
    seed: 3,
  })
  cases = await caller.cases(set.id)
})
afterAll(async () => {
  for (const name of Object.keys(keys)) delete process.env[name]
  await suite?.stop()
  await Promise.all(endpoints.map((server) => server.close()))
  await servers?.stop()
})

test('a fifth of all requests fail, and the result is that of a run without faults', async () => {
  const calm = await endpoint(solver(cases))
  const wild = await endpoint(faulty(solver(cases)))
  await caller.model('same-name', { baseUrl: calm.baseUrl, model: 'x' })
  const one = await caller.ended(
    (await caller.begin({ benchmark: set.id, model: 'same-name', samples: size.samples })).id,
  )
  await caller.model('same-name', {
    baseUrl: wild.baseUrl,
    model: 'x',
    stream: true,
    keyEnv: 'STATEEVAL_KEY_TEST',
  })
  const two = await caller.ended(
    (await caller.begin({ benchmark: set.id, model: 'same-name', samples: size.samples })).id,
  )
  const samples = cases.length * size.samples
  for (const evaluation of [one, two])
    expect(evaluation).toMatchObject({
      status: 'succeeded',
      counts: { samples, scored: samples, notScored: 0 },
    })
  const [undisturbed, disturbed] = [await caller.report(one.id), await caller.report(two.id)]
  expect(undisturbed.result.overall.passed).toBeGreaterThan(0)
  expect(undisturbed.result.overall.passed).toBeLessThan(samples)
  expect(JSON.stringify(disturbed.result)).toBe(JSON.stringify(undisturbed.result))
  expect(undisturbed.run).toMatchObject({
    retries: 0,
    kept: 0,
    repeated: 0,
    usage: { requests: samples, promptTokens: 10 * samples },
  })
  // Every request beyond one a sample was a fault.
  expect(calm.requests).toHaveLength(samples)
  expect(disturbed.run.retries).toBe(wild.requests.length - samples)
  expect(wild.requests.length).toBeGreaterThan(samples * 1.1)
  expect(disturbed.run.usage).toMatchObject({ requests: wild.requests.length, promptTokens: 10 * samples })
})

test('a recording repeats an evaluation offline, to the byte; answers that are kept cost nothing', async () => {
  const server = await endpoint(solver(cases))
  await caller.model('recorded', {
    baseUrl: server.baseUrl,
    model: 'x',
    prices: { promptPerMillion: 1000, completionPerMillion: 2000 },
  })
  const first = await caller.ended(
    (await caller.begin({ benchmark: set.id, model: 'recorded', probe: false })).id,
  )
  const original = await caller.report(first.id)
  const n = cases.length
  expect(original.run).toMatchObject({ costUsd: (n * (10 * 1000 + 5 * 2000)) / 1e6, kept: 0 })
  expect(original.run.cases).toHaveLength(n)
  expect(original.run.cases?.[0]).toMatchObject({
    case: cases[0]?.id,
    requests: 1,
    promptTokens: 10,
    costUsd: 0.02,
  })

  const again = await caller.ended(
    (await caller.begin({ benchmark: set.id, model: 'recorded', probe: false })).id,
  )
  expect(server.requests).toHaveLength(n)
  expect((await caller.report(again.id)).run).toMatchObject({
    kept: n,
    costUsd: 0,
    usage: { requests: 0, promptTokens: 0 },
  })
  const fresh = await caller.ended(
    (await caller.begin({ benchmark: set.id, model: 'recorded', probe: false, fresh: true })).id,
  )
  expect(server.requests).toHaveLength(2 * n)
  expect((await caller.report(fresh.id)).run).toMatchObject({ kept: 0, usage: { requests: n } })

  const { text } = await caller.call('GET', `/v1/evaluations/${first.id}/recording`)
  await server.close()
  await caller.call('DELETE', '/v1/models/recorded')
  const { status, body } = await caller.call<Recording>('POST', '/v1/recordings', { text })
  expect([status, body]).toMatchObject([201, { model: 'recorded', answers: n }])
  const replayed = await caller.ended((await caller.begin({ benchmark: set.id, recording: body.id })).id)
  expect(JSON.stringify((await caller.report(replayed.id)).result)).toBe(JSON.stringify(original.result))

  const other = await caller.ended(
    (await caller.begin({ benchmark: set.id, recording: body.id, prompting: 'cot' })).id,
  )
  expect(other).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('the recording has no answer'),
  })
  const torn = await caller.call<{ detail: string; field: string }>('POST', '/v1/recordings', {
    text: text.slice(0, -40),
  })
  expect([torn.status, torn.body.field, torn.body.detail]).toEqual([
    422,
    '/text',
    expect.stringContaining(`line ${n + 1} of the recording is not valid JSON`),
  ])
})

test('what was answered can be had page by page, and scored again; answers that were cut short are counted', async () => {
  const solve = solver(cases)
  const server = await endpoint((request) => ({
    ...(solve(request) as ScriptedAnswer),
    ...(request.count % 3 === 0 && { finish: 'length' }),
  }))
  await caller.model('brief', { baseUrl: server.baseUrl, model: 'x' })
  const { id, links } = await caller.ended(
    (await caller.begin({ benchmark: set.id, model: 'brief', samples: 2 })).id,
  )
  const sampleAnswers: SampleAnswer[] = []
  for (let path: string | null = `${links.answers}?limit=3`; path !== null;) {
    const { items, next }: { items: SampleAnswer[]; next?: string } = await caller.get(path)
    sampleAnswers.push(...items)
    path = next === undefined ? null : `${links.answers}?limit=3&cursor=${next}`
  }
  expect(sampleAnswers.map(({ case: of, sample }) => `${of}/${sample}`)).toEqual(
    cases.flatMap(({ id: of }) => [`${of}/0`, `${of}/1`]),
  )
  for (const { case: of, answer } of sampleAnswers)
    expect(answer).toBe(
      (solve({ messages: [{ content: caseOf(of).instruction }] } as ScriptedRequest) as ScriptedAnswer).say,
    )
  const cut = sampleAnswers.filter(({ finish }) => finish === 'length')
  const { result, run } = await caller.report(id)
  expect([run.cut, cut.length]).toEqual([
    Math.ceil(sampleAnswers.length / 3),
    Math.ceil(sampleAnswers.length / 3),
  ])

  const answers = sampleAnswers.map(({ case: of, sample, answer }) => ({ case: of, sample, answer }))
  const again = await caller.ended(
    (await caller.begin({ benchmark: set.id, answers, samples: 2, label: 'brief' })).id,
  )
  expect((await caller.report(again.id)).result).toEqual(result)
  const page = await caller.get<{ items: SampleAnswer[] }>(`${again.links.answers}?limit=500`)
  expect(page.items).toEqual(answers)
})

test('a report warns of the same mark or finish reason in many answers', async () => {
  const solve = solver(cases)
  const server = await endpoint((request) => ({
    say: `${(solve(request) as ScriptedAnswer).say}${request.count === 0 ? '' : '<|im_end|>'}`,
    finish: request.count < 2 ? 'SAFETY' : 'stop',
  }))
  await caller.model('leaves', { baseUrl: server.baseUrl, model: 'marks' })
  const { id } = await caller.ended((await caller.begin({ benchmark: set.id, model: 'leaves' })).id)
  const of = cases.length
  const { run } = await caller.report(id)
  const endings = [
    { kind: 'leftover', mark: '<|im_end|>', answers: of - 1, of },
    { kind: 'finish', mark: 'content_filter', answers: 2, of },
  ]
  expect(run.endings).toEqual(endings)
})

test('a budget stops an evaluation cleanly, and a larger one lets it go on without paying twice', async () => {
  const solve = solver(cases)
  const server = await endpoint((request) => ({ ...solve(request), afterMs: 20 }))
  await caller.model('dear', {
    baseUrl: server.baseUrl,
    model: 'x',
    concurrency: 1,
    prices: { promptPerMillion: 1e5, completionPerMillion: 0 },
  })
  const { id } = await caller.begin({ benchmark: set.id, model: 'dear', probe: false, budget: { usd: 3.5 } })
  const stopped = await caller.ended(id)
  expect(stopped).toMatchObject({
    status: 'cancelled',
    error: expect.stringContaining('the budget of $3.5 is spent'),
  })
  expect(server.requests.length).toBeGreaterThanOrEqual(4)
  expect(server.requests.length).toBeLessThan(cases.length)
  const low = await caller.call<{ field: string }>('POST', `/v1/evaluations/${id}/resume`, {
    budget: { usd: 3.6 },
  })
  expect([low.status, low.body.field]).toEqual([422, '/budget'])
  expect((await caller.call('POST', `/v1/evaluations/${id}/resume`, { budget: { usd: 1000 } })).status).toBe(
    202,
  )
  expect(await caller.ended(id)).toMatchObject({
    status: 'succeeded',
    budget: { usd: 1000 },
    spent: { requests: cases.length, costUsd: cases.length },
  })
  expect(server.requests).toHaveLength(cases.length)
  expect((await caller.report(id)).run).toMatchObject({
    repeated: 0,
    kept: 0,
    usage: { requests: cases.length },
  })
})

/** Says of each way in which the solver fails why it did. */
const judge = ({ messages }: ScriptedRequest): Script => {
  const text = messages[0]?.content ?? ''
  if (text.includes('(the answer contains no code)')) return { say: 'I can’t tell.' }
  const cause = text.includes('throw new Error("no")') ? 'documentation_misread' : 'instruction_not_followed'
  return { say: `Cause: ${cause}\nBecause: it shows.` }
}
type Result = Awaited<ReturnType<typeof caller.report>>['result']
const opinionsOf = ({ samples }: Result) => samples.flatMap(({ secondOpinion }) => secondOpinion ?? [])
const without = ({ secondOpinion: _, samples, ...rest }: Result) => ({
  ...rest,
  samples: samples.map(({ secondOpinion: _opinion, ...sample }) => sample),
})

test('a second opinion stands beside each failure, changes no verdict, and is repeated by the recording', async () => {
  const solving = await endpoint(solver(cases))
  const judging = await endpoint(judge)
  const prices = { promptPerMillion: 1000, completionPerMillion: 2000 }
  await caller.model('solves', { baseUrl: solving.baseUrl, model: 'opinions' })
  await caller.model('judges', { baseUrl: judging.baseUrl, model: 'x', prices })
  const plain = await caller.ended((await caller.begin({ benchmark: set.id, model: 'solves' })).id)
  const { result: rates } = await caller.report(plain.id)
  const first = await caller.ended(
    (await caller.begin({ benchmark: set.id, model: 'solves', secondOpinion: 'judges' })).id,
  )
  expect(first).toMatchObject({ status: 'succeeded', secondOpinion: 'judges', counts: plain.counts })
  const { result, run } = await caller.report(first.id)
  expect(without(result)).toEqual(rates)

  const failed = result.samples.filter(({ score }) => !score?.passed)
  expect(failed.length).toBeGreaterThan(1)
  expect(opinionsOf(result)).toHaveLength(failed.length)
  expect(result.samples.filter(({ score, secondOpinion }) => score?.passed && secondOpinion)).toEqual([])
  for (const { score, secondOpinion } of failed) {
    const expected =
      { no_code: 'unclear', execution_error: 'documentation_misread' }[score!.verdict] ??
      'instruction_not_followed'
    expect(secondOpinion).toMatchObject({ cause: expected })
  }
  const { failed: questionCount, compared, agreed, differ, unclear, absent } = result.secondOpinion!
  expect([questionCount, compared + unclear, agreed + differ.length, absent]).toEqual([
    failed.length,
    failed.length,
    compared,
    [],
  ])
  expect(judging.requests.length).toBe(failed.length)
  for (const request of judging.requests) {
    const { program } = caseIn(cases, request)
    const { content } = request.messages[0]!
    expect(content).toContain(emit(program, 'javascript')!.trim())
    expect(content).toContain('Verdict: ')
    // It is to think for itself.
    expect(content).not.toMatch(/root.?cause/i)
  }
  expect(run).toMatchObject({
    kept: cases.length,
    secondOpinion: { requests: failed.length, costUsd: 0.02 * failed.length, kept: 0 },
  })
  const { items } = await caller.get<{ items: Result['samples'] }>(
    `/v1/evaluations/${first.id}/results?limit=500`,
  )
  expect(items).toEqual(result.samples)

  const { text } = await caller.call('GET', `/v1/evaluations/${first.id}/recording`)
  await Promise.all([solving.close(), judging.close()])
  const { body } = await caller.call<Recording>('POST', '/v1/recordings', { text })
  const replayed = await caller.ended((await caller.begin({ benchmark: set.id, recording: body.id })).id)
  const repeated = await caller.report(replayed.id)
  expect(JSON.stringify(repeated.result)).toBe(JSON.stringify(result))
  expect(repeated.run.secondOpinion).toMatchObject({ requests: 0, kept: failed.length })
})

test('a model that cannot be asked for its opinion, or costs too much, leaves it absent with the reason', async () => {
  const solving = await endpoint(solver(cases))
  const locked = await endpoint(() => ({ status: 401 }))
  const judging = await endpoint(judge)
  await caller.model('solving', { baseUrl: solving.baseUrl, model: 'opinions' })
  await caller.model('locked', { baseUrl: locked.baseUrl, model: 'x', concurrency: 1 })
  await caller.model('judging', { baseUrl: judging.baseUrl, model: 'thrifty', concurrency: 1 })
  const evaluated = async (request: object) => {
    const ended = await caller.ended((await caller.begin({ benchmark: set.id, ...request })).id)
    expect(ended).toMatchObject({ status: 'succeeded', counts: { notScored: 0 } })
    return (await caller.report(ended.id)).result
  }
  const refused = await evaluated({ model: 'solving', secondOpinion: 'locked' })
  const failed = opinionsOf(refused).length
  expect(opinionsOf(refused)).toEqual(
    Array.from({ length: failed }, () => ({ absent: expect.stringContaining('key') })),
  )
  expect(refused.secondOpinion).toMatchObject({
    failed,
    compared: 0,
    share: null,
    kappa: null,
    absent: [{ samples: failed }],
  })
  expect(locked.requests).toHaveLength(1)

  const poor = await evaluated({
    model: 'solving',
    fresh: true,
    secondOpinion: 'judging',
    budget: { tokens: 15 * cases.length + 1 },
  })
  expect(judging.requests).toHaveLength(1)
  expect(poor.secondOpinion).toMatchObject({
    failed,
    absent: [{ reason: expect.stringContaining('budget'), samples: failed - 1 }],
  })
  expect(without(poor)).toEqual(without(refused))
  expect(
    (
      await caller.call<{ field: string }>('POST', '/v1/evaluations', {
        benchmark: set.id,
        model: 'solving',
        secondOpinion: 'nobody',
      })
    ).body,
  ).toMatchObject({ field: '/secondOpinion' })
})

test('an evaluation that was stopped while opinions are asked for goes on with them', async () => {
  const answers = cases.slice(0, 3).map(({ id }) => ({ case: id, answer: '```javascript\nRESULT = {}\n```' }))
  const judging = await endpoint((request) => ({
    ...judge(request),
    ...(request.count === 0 && { afterMs: 1500 }),
  }))
  await caller.model('slow', { baseUrl: judging.baseUrl, model: 'x', concurrency: 1 })
  const { id } = await caller.begin({ benchmark: set.id, answers, partial: true, secondOpinion: 'slow' })
  await until(async () => judging.requests.length > 0, { everyMs: 20 })
  expect(
    (await caller.get<{ progress: unknown; counts: unknown }>(`/v1/evaluations/${id}`)).counts,
  ).toMatchObject({
    scored: answers.length,
  })
  const cancelled = await caller.call('POST', `/v1/evaluations/${id}/cancel`)
  expect(cancelled.body).toMatchObject({ status: 'cancelled', progress: { phase: 'second opinions' } })
  expect((await caller.call('POST', `/v1/evaluations/${id}/resume`, {})).status).toBe(202)
  expect(await caller.ended(id)).toMatchObject({ status: 'succeeded', counts: { passed: 0 } })
  const { result } = await caller.report(id)
  expect(result.secondOpinion).toMatchObject({ failed: answers.length, compared: answers.length, absent: [] })

  // Answers made elsewhere have no recording; the opinions about them do.
  const { text } = await caller.call('GET', `/v1/evaluations/${id}/recording`)
  await judging.close()
  const { body } = await caller.call<Recording>('POST', '/v1/recordings', { text })
  const again = await caller.ended(
    (await caller.begin({ benchmark: set.id, answers, partial: true, secondOpinion: body.id })).id,
  )
  expect(JSON.stringify((await caller.report(again.id)).result)).toBe(JSON.stringify(result))
})

test('the prompt of second opinions can be replaced, and is checked at the start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-prompts-'))
  const mine = 'Why? {{instruction}} {{reference}} {{code}} {{evidence}}'
  await writeFile(join(folder, 'second-opinion.md'), mine)
  expect(readOpinionPrompts(folder)).toEqual({ stateeval: mine })
  await writeFile(join(folder, 'second-opinion.md'), mine.replace('{{code}}', '{{rootCause}}'))
  expect(() => readOpinionPrompts(folder)).toThrow('second-opinion.md has {{rootCause}}, which is unknown')
  await rm(folder, { recursive: true })
})

test('what keeps a model from being asked is said at once', async () => {
  const wrongKey = await endpoint(() => ({ status: 401, message: `no such key: ${secret}` }))
  const unknown = await endpoint(() => ({ status: 404, message: 'The model `x` does not exist' }))
  const short = await endpoint(() => ({ status: 400, message: 'maximum context length is 4096 tokens' }))
  const down = await endpoint(() => ({ say: '' }))
  await down.close()
  const settings = { model: 'x', keyEnv: 'STATEEVAL_KEY_TEST' }
  await caller.model('wrong-key', { ...settings, baseUrl: wrongKey.baseUrl })
  await caller.model('unknown', { ...settings, baseUrl: unknown.baseUrl })
  await caller.model('short', { ...settings, baseUrl: short.baseUrl })
  await caller.model('down', { ...settings, baseUrl: down.baseUrl })
  await caller.model('keyless', { model: 'x', baseUrl: unknown.baseUrl, keyEnv: 'STATEEVAL_KEY_UNSET' })
  const refused = async (request: object) => {
    const { status, body } = await caller.call<{ field: string; detail: string }>('POST', '/v1/evaluations', {
      benchmark: set.id,
      ...request,
    })
    return [status, body.field, body.detail]
  }
  expect(await refused({ model: 'down' })).toEqual([
    422,
    '/model',
    expect.stringMatching(/down cannot be asked: .*cannot be reached \(ECONNREFUSED\); start the endpoint/),
  ])
  expect(await refused({ model: 'keyless' })).toEqual([
    422,
    '/model',
    expect.stringContaining('STATEEVAL_KEY_UNSET is not set'),
  ])
  expect(await refused({ model: 'unknown', budget: { tokens: 0 } })).toEqual([
    422,
    '/budget/tokens',
    expect.stringContaining('a budget of 0 allows no request'),
  ])
  expect(await refused({ model: 'unknown', budget: { usd: 1 } })).toEqual([
    422,
    '/budget/usd',
    expect.stringContaining('prices'),
  ])
  expect(await refused({ model: 'nobody' })).toEqual([
    422,
    '/model',
    expect.stringContaining('PUT /v1/models/nobody'),
  ])
  const failure = async (model: string) => {
    const { status, error } = await caller.ended((await caller.begin({ benchmark: set.id, model })).id)
    return [status, error]
  }
  expect(await failure('wrong-key')).toEqual([
    'failed',
    expect.stringContaining('rejects the key in STATEEVAL_KEY_TEST; set a valid one'),
  ])
  expect(await failure('unknown')).toEqual(['failed', expect.stringContaining('there is no model "x" at')])
  expect(await failure('short')).toEqual([
    'failed',
    expect.stringContaining('does not fit the model’s context'),
  ])
  // Refused, not hammered: one request for each question that was under way.
  expect(short.requests.length).toBeLessThanOrEqual(cases.length)
})

test('a question that is too long for the model is not scored, where others were answered', async () => {
  const longest = cases[cases.length - 1]!
  const solve = solver(cases)
  const server = await endpoint((request) =>
    request.messages[0]?.content.includes(longest.instruction.trim())
      ? { status: 400, message: 'prompt is too long' }
      : solve(request),
  )
  await caller.model('narrow', { baseUrl: server.baseUrl, model: 'x', concurrency: 1 })
  const done = await caller.ended((await caller.begin({ benchmark: set.id, model: 'narrow' })).id)
  expect(done).toMatchObject({ status: 'succeeded', counts: { notScored: 1, scored: cases.length - 1 } })
  const { result } = await caller.report(done.id)
  expect(result).toMatchObject({ notScored: 1, overall: { scored: cases.length - 1 } })
  expect(result.samples.find((sample) => sample.case === longest.id)).toMatchObject({
    score: null,
    notScored: expect.stringContaining('context'),
  })
  // It stands in no verdict and in no group.
  expect(Object.values(result.verdicts).reduce((sum, count) => sum + count, 0)).toBe(cases.length - 1)
})

test('an endpoint that answers nothing costs no case: not scored, and never zero', async () => {
  const server = await endpoint(() => ({ status: 503, headers: { 'retry-after': '0' } }))
  await caller.model('broken', { baseUrl: server.baseUrl, model: 'x', retries: 1 })
  const done = await caller.ended((await caller.begin({ benchmark: set.id, model: 'broken' })).id)
  expect(done).toMatchObject({
    status: 'succeeded',
    counts: { scored: 0, passed: 0, notScored: cases.length },
  })
  const { result } = await caller.report(done.id)
  expect(result).toMatchObject({
    notScored: cases.length,
    overall: { scored: 0, rate: null, interval: null },
  })
  expect(result.verdicts['infrastructure_error'] ?? 0).toBe(0)
})

test('a caller can’t have a key sent to a host of theirs: neither by naming a model, nor by one that is stored', async () => {
  const theirs = await endpoint(() => ({ say: 'thanks' }))
  const model = { baseUrl: theirs.baseUrl, model: 'x', keyEnv: 'STATEEVAL_KEY_OTHER' }
  const { host } = new URL(theirs.baseUrl)
  const says = `add ${host} to STATEEVAL_KEY_OTHER_HOSTS`
  const refused = await caller.call<{ field: string; detail: string }>('PUT', '/v1/models/theirs', model)
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { field: '/keyEnv', detail: expect.stringContaining(says) },
  ])

  // As an earlier version stored it; and its hosts were others when it was named.
  const { collections } = suite.services['evaluation']!.context as EvaluationContext
  await collections.models.replace('theirs', { settings: model, updatedAt: new Date(0).toISOString() })
  const begun = await caller.call<{ field: string; detail: string }>('POST', '/v1/evaluations', {
    benchmark: set.id,
    model: 'theirs',
  })
  expect([begun.status, begun.body]).toMatchObject([
    422,
    { field: '/model', detail: expect.stringContaining(says) },
  ])
  const agents = { generator: { name: 'theirs', settings: model } }
  const program = (await caller.cases(set.id))[0]!.program
  const translated = await fetch(`${suite.urls['translation']}/v1/translations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ translator: 'agents', program, agents }),
  })
  expect([translated.status, await translated.json()]).toMatchObject([
    422,
    { field: '/agents/generator/settings/keyEnv', detail: expect.stringContaining(says) },
  ])
  // A second opinion is asked for at the end only: there it is refused by whoever sends.
  await caller.model('right', {
    baseUrl: (await endpoint(() => ({ say: 'RESULT = 1' }))).baseUrl,
    model: 'x',
  })
  const { id } = await caller.ended(
    (await caller.begin({ benchmark: set.id, model: 'right', secondOpinion: 'theirs' })).id,
  )
  expect((await caller.call('GET', `/v1/evaluations/${id}/report`)).text).toContain(says)
  expect(theirs.requests).toHaveLength(0)
})

test('no key is stored or told', async () => {
  const server = await endpoint(({ authorization }) => ({ say: `echo ${authorization}` }))
  await caller.model('echo', { baseUrl: server.baseUrl, model: 'x', keyEnv: 'STATEEVAL_KEY_TEST' })
  const { id } = await caller.begin({ benchmark: set.id, model: 'echo' })
  await caller.ended(id)
  expect(server.requests[0]?.authorization).toBe(`Bearer ${secret}`)
  const texts = await Promise.all(
    [
      `/v1/evaluations/${id}`,
      `/v1/evaluations/${id}/report`,
      `/v1/evaluations/${id}/results`,
      `/v1/evaluations/${id}/recording`,
      '/v1/models',
      '/metrics',
    ].map(async (path) => (await caller.call('GET', path)).text),
  )
  expect(texts.join('\n')).not.toContain(secret)
  expect(texts[3]).toContain('echo Bearer [key]')
  const { mongo } = suite.services['evaluation']!.platform
  for (const { name } of await mongo.db.listCollections().toArray()) {
    if (name === 'artifacts') continue
    for await (const document of mongo.db.collection(name).find({}))
      expect(JSON.stringify(document)).not.toContain(secret)
  }
  const { artifacts } = suite.services['evaluation']!.platform
  const chunks = await mongo.db
    .collection<{ _id: string }>('artifacts')
    .find({}, { projection: { _id: 1 } })
    .toArray()
  for (const { _id } of chunks.filter((chunk) => chunk._id.endsWith(':0')))
    expect(Buffer.from((await artifacts.get(_id.slice(0, -2))) ?? []).toString('utf8')).not.toContain(secret)
})

test('models come by HTTP or from a file, which keeps its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-models-'))
  const file = join(folder, 'models.json')
  await writeFile(file, JSON.stringify({ filed: { baseUrl: 'http://127.0.0.1:9/v1', model: 'x' } }))
  const start = () => startSuite({ servers, only: ['evaluation'], env: { STATEEVAL_MODELS_FILE: file } })
  const other = await start()
  try {
    const there = callerAt(() => other.urls['evaluation']!)
    await there.model('posted', { baseUrl: 'http://127.0.0.1:9/v1', model: 'y' })
    const { items } = await there.get<{ items: Model[] }>('/v1/models')
    expect(items.map(({ name }) => name)).toEqual(['reference', 'mutant', 'filed', 'posted'])
    expect((await there.get<Model>('/v1/models/filed')).declaredIn).toBe('file')
    expect(
      (await there.call('PUT', '/v1/models/filed', { baseUrl: 'http://127.0.0.1:9/v1', model: 'z' })).status,
    ).toBe(409)
    expect((await there.call('DELETE', '/v1/models/filed')).status).toBe(409)
  } finally {
    await other.stop()
  }
  await writeFile(file, JSON.stringify({ filed: { baseUrl: 'ftp://models/v1', model: 'x' } }))
  await expect(start()).rejects.toThrow(
    `STATEEVAL_MODELS_FILE: ${file}, filed/baseUrl: baseUrl must begin with http`,
  )
  await rm(folder, { recursive: true })
})
