/**
 * The sample and answers to it, through real services and the real sandbox, over HTTP; broken data are
 * refused with the entry.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getFirstAnswer, buildProgramCandidate } from '@stateeval/program'
import type {
  BenchmarkFolder,
  BenchmarkResource,
  EvaluationResource,
  Manifest,
  Report,
  Score,
} from '@stateeval/contracts'
import { startScriptedModel, startSuite, type Suite, until } from '@stateeval/testkit'
import { creationTests } from './creation/over-http.ts'
import { published, publishedFiles, skipReason } from './data.ts'
import { sampleBenchmark, sampleCases, sampleFolder } from './sample.ts'

let suite: Suite
let imported: { status: number; body: BenchmarkResource }
let id: string
beforeAll(async () => {
  suite = await startSuite({ only: ['execution', 'scoring', 'evaluation'] })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  imported = await call<BenchmarkResource>('evaluation', '/v1/benchmarks/import', folder())
  id = imported.body.id
})
afterAll(async () => {
  await creation.close()
  await suite?.stop()
})

async function call<T>(service: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  const response = await fetch(`${suite.urls[service]}${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: (text.startsWith('{') && !text.includes('\n{') ? JSON.parse(text) : text) as T,
  }
}
const read = (file: string) => readFileSync(join(sampleFolder, file), 'utf8')
const folder = (): BenchmarkFolder => ({
  manifest: JSON.parse(read('manifest.json')) as Manifest,
  cases: read('cases.jsonl'),
  readme: read('README.md'),
  artifacts: Object.fromEntries(
    readdirSync(join(sampleFolder, 'artifacts')).map((hash) => [
      hash,
      Buffer.from(read(`artifacts/${hash}`)).toString('base64'),
    ]),
  ),
})
async function evaluated(request: object, path = '/v1/evaluations'): Promise<Report> {
  const { status, body } = await call<EvaluationResource>('evaluation', path, request)
  expect([status, status === 202 || body]).toEqual([202, true])
  await until(
    async () =>
      (await call<EvaluationResource>('evaluation', `/v1/evaluations/${body.id}`)).body.status ===
      'succeeded',
    { everyMs: 100 },
  )
  return (await call<Report>('evaluation', `/v1/evaluations/${body.id}/report`)).body
}

test('the sample is imported, and asks as the paper does', async () => {
  expect([imported.status, imported.body.manifest?.counts.kept]).toEqual([201, 15])
  const prompts = await call<string>('evaluation', `/v1/benchmarks/${id}/prompts?setup=arguments&layout=base`)
  expect(prompts.body.trim().split('\n')).toHaveLength(15)
  expect(prompts.body).not.toContain('# Library')
  expect(
    (await call<string>('evaluation', `/v1/benchmarks/${id}/prompts?documentation=relevant`)).body,
  ).toContain('# Library')
  expect((await call('evaluation', `/v1/benchmarks/${id}/prompts?setup=both`)).status).toBe(422)
})
test('published generation settings are sent in place of the model’s own, and stand in the report', async () => {
  const model = await startScriptedModel(() => ({ say: 'axios.get(' }))
  const settings = {
    baseUrl: model.baseUrl,
    model: 'x',
    api: 'completions',
    parameters: { temperature: 1, logit_bias: {} },
  }
  const named = await fetch(`${suite.urls['evaluation']}/v1/models/mine`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  })
  expect(named.status).toBe(200)
  const { result, run } = await evaluated({
    benchmark: id,
    model: 'mine',
    layout: 'base',
    samples: 2,
    settings: 'published',
  })
  await model.close()
  const parameters = {
    temperature: 0.2,
    top_p: 1,
    top_k: 50,
    max_tokens: 250,
    stop: ['\n```\n'],
    logit_bias: {},
  }
  expect(run.parameters).toEqual(parameters)
  expect(result.options).toMatchObject({ settings: 'published' })
  expect(model.requests).toHaveLength(30)
  for (const request of model.requests) expect(request.parameters).toMatchObject(parameters)
  const refused = async (request: object) =>
    (await call<object>('evaluation', '/v1/evaluations', { benchmark: id, ...request })).body
  expect(await refused({ model: 'mine', settings: 'papers' })).toMatchObject({
    field: '/settings',
    detail: expect.stringContaining('available: published'),
  })
  expect(await refused({ model: 'reference', settings: 'published' })).toMatchObject({ field: '/settings' })
})
test('answers are judged by both policies', async () => {
  const right = sampleCases.map((c) => ({
    case: c.id,
    answer: getFirstAnswer(sampleBenchmark.player(c, { prompting: 'direct' }))!,
  }))
  const answers = right.map((one, n) =>
    n === 0
      ? { ...one, answer: one.answer.replace("'Authorization'", "'authorization'") }
      : n === 4
        ? { ...one, answer: 'axios.get(' }
        : one,
  )
  const { result, run } = await evaluated({ benchmark: id, answers, setup: 'arguments' })
  expect(run.baselineCheck).toMatchObject({ status: 'passed', cases: 15 })
  expect(result).toMatchObject({
    overall: { passed: 13, scored: 15 },
    notScored: 0,
    options: { setup: 'arguments', layout: 'chat', documentation: 'none' },
  })
  expect(result.disagreements).toEqual([
    {
      case: 'library-0',
      sample: 0,
      verdicts: { published: 'illegal', sound: 'correct' },
      why: expect.arrayContaining([expect.stringContaining('authorization is illegal')]),
    },
  ])
  expect(
    result
      .measures!.filter(({ group }) => group === 'all')
      .map(({ values }) => values['Correct implementations (t)']),
  ).toEqual([0.866667, 0.933333])
  const { mongo } = suite.services['execution']!.platform
  const runs = () => mongo.collection('outcomes').countDocuments()
  const fresh = await evaluated({ benchmark: id, answers, setup: 'arguments', policy: 'sound' })
  const before = await runs()
  const path = `/v1/evaluations/${run.evaluation}/rescore`
  expect(JSON.stringify((await evaluated({}, path)).result)).toBe(JSON.stringify(result))
  const other = await evaluated({ policy: 'sound' }, path)
  expect(JSON.stringify(other.result)).toBe(JSON.stringify(fresh.result))
  expect([other.run.rescored, other.run.sandboxes, await runs()]).toEqual([run.evaluation, {}, before])
})
test('the same by the other policy', async () => {
  const { result } = await evaluated({
    benchmark: id,
    answers: [
      {
        case: 'library-7',
        answer: `axios({ method: 'delete', url: 'https://api.library.example/v2/books/b17', headers: { authorization: 'Bearer <token>' } })`,
      },
    ],
    partial: true,
    policy: 'sound',
  })
  expect(result.overall).toMatchObject({ passed: 1, scored: 1 })
})
test('scoring alone has what the import stored', async () => {
  const candidate = buildProgramCandidate({ code: null })
  const { status, body } = await call<{ scores: Score[] }>('scoring', '/v1/scores', {
    kind: 'wapiibench',
    case: sampleCases[0]!,
    candidate,
  })
  expect([status, body.scores[0]?.verdict]).toEqual([200, 'no_request'])
  const missing = { ...sampleCases[0]!, artifacts: ['0'.repeat(64)] }
  const refused = await call<{ detail: string }>('scoring', '/v1/scores', {
    kind: 'wapiibench',
    case: missing,
    candidate,
  })
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    expect.stringContaining('import its benchmark first'),
  ])
})
test('data that are not there, or broken', async () => {
  const dataset = (files: Record<string, string>, kind = 'wapiibench') =>
    call<{ detail: string }>('evaluation', '/v1/benchmarks/datasets', { kind, files })
  expect(await dataset({}, 'stateeval')).toMatchObject({
    status: 422,
    body: { detail: 'there is no published data for the kind "stateeval"' },
  })
  expect(await dataset({ 'tasks/asana.json': '{"samples":[{"task":1}]}' })).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('tasks/asana.json entry 0') },
  })
})
;(published ? test : test.skip)(
  `the published data are imported${published ? '' : `: ${skipReason}`}`,
  async () => {
    const { status, body } = await call<BenchmarkResource>('evaluation', '/v1/benchmarks/datasets', {
      kind: 'wapiibench',
      files: publishedFiles(),
    })
    expect([status, body.manifest?.counts.kept, body.origin]).toEqual([201, 395, 'import'])
    expect(body.warnings!.filter((warning) => warning.includes('undocumented'))).toHaveLength(2)
  },
)

const creation = creationTests(
  () => suite.urls['evaluation']!,
  async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(`${suite.urls['evaluation']}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      text,
      body: (text.startsWith('{') && !text.includes('\n{') ? JSON.parse(text) : null) as T,
    }
  },
  evaluated,
)
