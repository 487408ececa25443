/**
 * Recorded responses over real services and by commands: calls of one model are matched by a live API, which
 * then goes away; those of another model are matched by what was recorded.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, Report, ReportResult, SampleAnswer } from '@stateeval/contracts'
import {
  type CommandLine,
  namespace,
  type ScriptedModel,
  type Servers,
  startCommandLine,
  startScriptedModel,
  startServers,
  stateeval,
} from '@stateeval/testkit'
import { callerAt } from '../../../services/evaluation/test/over-http.ts'
import { hereWith, sampleFiles } from './here.ts'
import { endpointOf, startLiveApi, ways } from './model.ts'

const key = 'secret'
const caseIds = ['Attraction-0', 'Attraction-1', 'Flights-2']
const files = {
  'conversations.jsonl': sampleFiles['conversations.jsonl']
    .split('\n')
    .filter((line) => caseIds.some((id) => line.startsWith(`{"id":"${id}"`)))
    .join('\n'),
}
const here = hereWith(files)
/** Its query is written in a way that nobody recorded. */
const [, strange] = here.cases
const place = (name: string) => ways.findIndex((way) => way.name === name)

/** Answers with its queries in capital letters. */
const first = endpointOf(here, () => place('equal by response'))
/** The same with arguments in another order, after an error at the beginning. */
const second: typeof first = (request) => {
  const { messages } = request
  const isStrange = messages[0]?.content === strange!.instruction
  const replyCount = messages.filter(({ role }) => role === 'assistant').length
  if (replyCount === 0 && !isStrange)
    return endpointOf(here, () => place('a format error, then right'))(request)
  const history = isStrange
    ? messages
    : messages.filter((_, at) => at === 0 || at > endOfFirstRound(messages))
  const script = first({ ...request, messages: history })
  if (!('say' in script) || !script.toolCalls) return script
  return {
    ...script,
    toolCalls: script.toolCalls.map(({ name, arguments: text }) => {
      const args = Object.entries(JSON.parse(text) as Record<string, unknown>).reverse()
      const changed = args.map(([parameter, value]) =>
        isStrange && parameter === 'query' ? [parameter, String(value).toLowerCase()] : [parameter, value],
      )
      return { name, arguments: JSON.stringify(Object.fromEntries(changed)) }
    }),
  }
}
/** Where the answers to its first reply end. */
function endOfFirstRound(messages: readonly { role: string }[]): number {
  const next = messages.findIndex(({ role }, at) => at > 1 && role === 'assistant')
  return next < 0 ? messages.length - 1 : next - 1
}

let servers: Servers
let line: CommandLine
let model: ScriptedModel
let set: string
let folder: string
const ns = namespace()
const caller = callerAt(() => line.suite.urls['evaluation']!)
/** The same services, data and models, with or without the live API. */
const start = async (env: Record<string, string>) =>
  startCommandLine({ only: ['scoring', 'evaluation'], servers, env: { STATEEVAL_NAMESPACE: ns, ...env } })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-responses-'))
  servers = await startServers()
  model = await startScriptedModel((request) => (request.model === 'first' ? first : second)(request))
  line = await start({})
  const imported = await caller.call<BenchmarkResource>('POST', '/v1/benchmarks/datasets', {
    kind: 'complexfuncbench',
    files,
  })
  set = imported.body.id
  for (const name of ['first', 'second']) await caller.model(name, { baseUrl: model.baseUrl, model: name })
})
afterAll(async () => {
  await line?.stop()
  await model?.close()
  await servers?.stop()
  if (folder) await rm(folder, { recursive: true })
})

const evaluate = async (...args: string[]) => {
  const { code, value, err } = await stateeval('evaluate', '--benchmark', set, ...args, '--json')
  expect([code, code === 0 || err]).toEqual([0, true])
  return value as Report & { evaluation: string }
}
const verdicts = ({ samples }: ReportResult) =>
  Object.fromEntries(samples.map((one) => [one.case, one.score?.verdict]))
const counts = ({ measures }: ReportResult) =>
  ['Matched by response', 'Calls without matching by response', 'Calls without a recorded response'].map(
    (name) => measures![0]!.values[name],
  )

test('responses are recorded with one model, and answer another one when the API is gone', async () => {
  const live = await startLiveApi()
  const keys = { STATEEVAL_KEY_BOOKING: key, STATEEVAL_KEY_BOOKING_HOSTS: new URL(live.url).host }
  // Keys are read from the process when a request is sent.
  Object.assign(process.env, keys)
  const apis = join(folder, 'apis.json')
  await writeFile(
    apis,
    JSON.stringify({ booking: { baseUrl: live.url, keyEnv: 'STATEEVAL_KEY_BOOKING', keyHeader: 'x-key' } }),
  )
  await line.stop()
  line = await start({ STATEEVAL_LIVE_APIS_FILE: apis, ...keys })
  const recorded = await evaluate('--model', 'first')
  expect(recorded.result.overall.passed).toBe(caseIds.length)
  expect(live.requests.length).toBeGreaterThan(caseIds.length)
  const printed = await stateeval('recording', recorded.evaluation)
  expect(printed.out).not.toContain(key)
  const file = join(folder, 'first.recording')
  await writeFile(file, printed.out)
  await line.stop()
  await live.close()

  line = await start({})
  const { requests } = live
  const before = requests.length
  const without = await evaluate('--model', 'second')
  expect(without.result.overall.passed).toBe(0)
  expect(counts(without.result)).toEqual([0, expect.any(Number), 0])

  const { evaluation, result, run } = await evaluate('--model', 'second', '--responses', recorded.evaluation)
  const expected = Object.fromEntries(
    here.cases.map(({ id }) => [id, id === strange!.id ? 'value_error' : 'success']),
  )
  expect(verdicts(result)).toEqual(expected)
  expect(counts(result)).toEqual([expect.any(Number), 0, 1])
  expect(counts(result)[0]).toBeGreaterThan(0)
  expect(run.parties?.['http:booking']).toMatchObject({ requests: 0, responses: [recorded.evaluation] })
  const { out } = await stateeval('report', evaluation)
  expect(out).toContain(`booking: from ${recorded.evaluation}`)
  expect(out).toContain(
    '1 call was not matched by response: the recorded responses do not have their requests',
  )
  const { items } = await caller.get<{ items: SampleAnswer[] }>(
    `/v1/evaluations/${evaluation}/answers?case=${strange!.id}`,
  )
  expect(JSON.stringify(items[0]?.consultations)).toMatch(
    /GET \/api\/v1\/attraction\/searchLocation\?query=porto of booking is not recorded/,
  )

  // From the file, with the evaluation beside it, and as a repetition: the same bytes.
  const bytes = JSON.stringify(result)
  const both = await evaluate('--model', 'second', '--responses', `${file},${recorded.evaluation}`)
  expect(JSON.stringify(both.result)).toBe(bytes)
  expect(both.run.parties?.['http:booking']?.responses).toEqual([
    expect.stringMatching(/^rec_/),
    recorded.evaluation,
  ])
  const again = await stateeval('recording', both.evaluation)
  const repetition = join(folder, 'second.recording')
  await writeFile(repetition, again.out)
  expect(JSON.stringify((await evaluate('--recording', repetition)).result)).toBe(bytes)
  expect(requests.length).toBe(before)
})

test('what cannot answer is refused with its field, over HTTP and by commands', async () => {
  const refused = async (responses: unknown) => {
    const request = { benchmark: set, model: 'second', responses }
    const { status, body } = await caller.call<{ detail: string }>('POST', '/v1/evaluations', request)
    return [status, body.detail]
  }
  expect(await refused(['ev_gone'])).toEqual([
    422,
    expect.stringContaining('there is no evaluation "ev_gone"'),
  ])
  for (const wrong of [
    [],
    'ev_1',
    ['bm_1'],
    ['ev_1', 'ev_1'],
    Array.from({ length: 17 }, (_, n) => `ev_${n}`),
  ])
    expect(await refused(wrong)).toEqual([400, expect.any(String)])
  const args = ['evaluate', '--benchmark', set, '--model', 'second', '--responses']
  const unknown = await stateeval(...args, 'ev_gone')
  expect([unknown.code, unknown.err]).toEqual([
    2,
    expect.stringMatching(/no evaluation "ev_gone".*--responses/),
  ])
  const torn = join(folder, 'torn.recording')
  await writeFile(torn, '{"recording":2,')
  for (const [name, says] of [
    [torn, /line 1 of the recording is not valid JSON/],
    [join(folder, 'missing'), /cannot be read/],
    [',', /needs an evaluation or a file/],
  ] as const)
    expect(await stateeval(...args, name)).toMatchObject({ code: 2, err: expect.stringMatching(says) })
})
