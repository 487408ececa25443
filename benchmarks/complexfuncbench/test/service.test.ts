/**
 * The sample through real services, over HTTP: imported, evaluated with everybody whom a dialogue can ask,
 * reported, repeated.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, ReportResult } from '@stateeval/contracts'
import {
  type CommandLine,
  isLong,
  pickForRun,
  type Script,
  type ScriptedModel,
  startCommandLine,
  startScriptedModel,
  stateeval,
} from '@stateeval/testkit'
import { callerAt } from '../../../services/evaluation/test/over-http.ts'
import presentation from '../presentation/index.ts'
import { hereWith, sampleFiles } from './here.ts'
import { endpointOf, judge, type LiveApi, startLiveApi, ways } from './model.ts'

const here = hereWith(sampleFiles)
const sampleFolder = join(import.meta.dirname, '../sample')
const places = new Map(here.cases.map(({ id }, at) => [id, at]))
const wayOf = (id: string) => places.get(id)!
const expected = Object.fromEntries(here.cases.map(({ id }, at) => [id, ways[at % ways.length]!.verdict]))

let line: CommandLine
let model: ScriptedModel
let judging: ScriptedModel
let embeddings: ScriptedModel
let live: LiveApi
let folder: string
let imported: { status: number; body: BenchmarkResource }
let set: string
const caller = callerAt(() => line.suite.urls['evaluation']!)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-complexfuncbench-'))
  live = await startLiveApi()
  const apis = join(folder, 'apis.json')
  const booking = { baseUrl: live.url, headers: { 'x-key': '${STATEEVAL_KEY_BOOKING}' } }
  await writeFile(apis, JSON.stringify({ booking }))
  // Keys are read from the process when a request is sent.
  const keys = { STATEEVAL_KEY_BOOKING: 'secret', STATEEVAL_KEY_BOOKING_HOSTS: new URL(live.url).host }
  Object.assign(process.env, keys)
  line = await startCommandLine({
    only: ['scoring', 'evaluation'],
    env: { STATEEVAL_LIVE_APIS_FILE: apis, ...keys },
  })
  model = await startScriptedModel(endpointOf(here, wayOf))
  judging = await startScriptedModel(judge)
  // Directions that have little to do with the text: another mapping than the lexical one.
  embeddings = await startScriptedModel(({ messages }) => {
    const { length } = messages[0]!.content
    return { say: JSON.stringify([Math.sin(length), Math.cos(length)]) }
  })
  await caller.model('mine', { baseUrl: model.baseUrl, model: 'm' })
  await caller.model('judge', { baseUrl: judging.baseUrl, model: 'j' })
  await caller.model('vectors', { baseUrl: embeddings.baseUrl, model: 'e', api: 'embeddings' })
  imported = await caller.call<BenchmarkResource>('POST', '/v1/benchmarks/datasets', {
    kind: 'complexfuncbench',
    files: sampleFiles,
  })
  set = imported.body.id
})
afterAll(async () => {
  await line?.stop()
  for (const one of [model, judging, embeddings, live]) await one?.close()
  if (folder) await rm(folder, { recursive: true })
})

async function resultOf(request: object): Promise<{ id: string; result: ReportResult }> {
  const { id } = await caller.begin({ benchmark: set, ...request })
  const { status, error } = await caller.ended(id)
  expect([status, error]).toEqual(['succeeded', undefined])
  return { id, result: (await caller.report(id)).result }
}
const everybody = { judge: 'judge', embeddings: 'vectors' }

test('the published format is imported; if it is strict, a broken golden call is refused with its line', async () => {
  expect([imported.status, imported.body.manifest?.counts.kept]).toEqual([201, here.cases.length])
  const broken = sampleFiles['conversations.jsonl'].replace('"sort_by":"popularity"', '"sorted":"popularity"')
  const refused = await caller.call<{ detail: string }>('POST', '/v1/benchmarks/datasets', {
    kind: 'complexfuncbench',
    files: { 'conversations.jsonl': broken },
    strict: true,
  })
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    "conversations.jsonl line 1: conversations[5].function_call[0] is broken, and kept and marked: Function Search_Hotels does not have parameters {'sorted'}. Correct the data, or import without strict",
  ])
})

test('the policy of live worlds is refused for a set without one, and when it is scored again', async () => {
  const refusal = [422, '/policy', expect.stringContaining('no live world; choose another policy')]
  const answerTo = async (path: string, request: object) => {
    const { status, body } = await caller.call<{ field: string; detail: string }>('POST', path, request)
    return [status, body.field, body.detail]
  }
  const policy = 'state'
  expect(await answerTo('/v1/evaluations', { benchmark: set, model: 'reference', policy })).toEqual(refusal)
  const { id } = await resultOf({ model: 'reference' })
  expect(await answerTo(`/v1/evaluations/${id}/rescore`, { policy })).toEqual(refusal)
})

test('the reference passes, and mutants are caught', async () => {
  const { result } = await resultOf({ model: 'reference' })
  expect(result.overall).toMatchObject({ passed: here.cases.length, scored: here.cases.length })
  expect(result.measures?.[0]?.values).toMatchObject({
    'Success rate of judged samples': 1,
    'Call accuracy': 1,
    'Mean extra steps': 0,
    Completeness: null,
  })
  const mutants = await resultOf({ model: 'mutant' })
  expect(mutants.result.mutation).toMatchObject({ caught: here.cases.length, survived: 0, disputed: 0 })
  expect((await caller.rescored(mutants.id)).result).toEqual(mutants.result)
})

test('a model is judged for each way of being right and wrong, with everybody, recorded and repeated', async () => {
  const { id, result } = await resultOf({ model: 'mine', ...everybody })
  expect(Object.fromEntries(result.samples.map((one) => [one.case, one.score?.verdict]))).toEqual(expected)
  const { values } = result.measures![0]!
  expect(values).toMatchObject({ 'Matched by response': expect.any(Number), Correctness: expect.any(Number) })
  expect(values['Matched by response']).toBeGreaterThan(0)
  expect(values['Matched by judge']).toBeGreaterThan(0)
  expect(values['Self-correction rate']).toBeGreaterThan(0)
  expect(values['Mappings that differ under the lexical default']).toBeGreaterThan(0)
  // Nobody is asked when it is repeated from its recording.
  const before = [model, judging, embeddings, live].map(({ requests }) => requests.length)
  const { text } = await caller.call('GET', `/v1/evaluations/${id}/recording`)
  const { body } = await caller.call<{ id: string }>('POST', '/v1/recordings', { text })
  const again = await resultOf({ recording: body.id })
  expect(JSON.stringify(again.result)).toBe(JSON.stringify(result))
  expect([model, judging, embeddings, live].map(({ requests }) => requests.length)).toEqual(before)

  // Nor when its samples are scored again, with the same result.
  expect(JSON.stringify((await caller.rescored(id)).result)).toBe(JSON.stringify(result))
  // A judge would read the dialogue in the other policy's words.
  const texts = ['judge:completeness', 'judge:correctness']
  const other = await caller.rescored(id, { policy: 'sound', without: texts })
  const fewer = await caller.rescored(id, { limits: { turns: 1 } })
  expect([model, judging, embeddings, live].map(({ requests }) => requests.length)).toEqual(before)
  expect(fewer.result.verdicts).toHaveProperty('limit')
  const match = { judge: { match: 'judge' }, embeddings: 'vectors' }
  const fresh = await resultOf({ model: 'mine', ...match, policy: 'sound' })
  const freshly = new Map(fresh.result.samples.map((one) => [one.case, one]))
  const scored = other.result.samples.filter(({ score }) => score !== null)
  expect(scored.length).toBeGreaterThan(here.cases.length / 2)
  expect(scored).toEqual(scored.map((one) => freshly.get(one.case)))
  expect(other.result.samples.find(({ score }) => score === null)).toMatchObject({
    notScored: expect.stringContaining('a question to the model that was not asked'),
  })

  const sections = presentation.sections!(result)
  expect(JSON.stringify(sections)).toContain('Self-correction rate')
  expect(presentation.failureSections!(result)).toHaveLength(1)
  const [table] = presentation.paper!.tables([result], 'sound', { tables: {} })
  expect(table?.head.slice(0, 3)).toEqual(['Model', 'Hotels Success', 'Hotels Call Acc'])
  expect(table?.rows[0]?.[0]).toBe('mine')
})

test('hostile replies end as failures of their own cases; every other case is judged as ever', async () => {
  const [, ...others] = here.cases.map(({ instruction }) => instruction)
  const { name } = here.cases[1]!.task.turns[0]![0]!
  const call = (text: string): Script => ({
    say: '',
    toolCalls: [{ name, arguments: text }],
    finish: 'tool_calls',
  })
  const hostile: Script[] = [
    call('{"query": "\\ud800\\u0000", "__proto__": {"polluted": 1}}'),
    call(`{"query": "${'x'.repeat(300_000)}"}`),
    call(`{"query": ${'['.repeat(100_000)}`),
    call(JSON.stringify({ ['\u0001\u202e'.repeat(10_000)]: 1 })),
    {
      say: '',
      toolCalls: Array.from({ length: 1001 }, () => ({ name, arguments: '{}' })),
      finish: 'tool_calls',
    },
    { say: `\ud800\u001b[2J<script>${'</script>'.repeat(100_000)}` },
  ]
  const right = endpointOf(here, () => 0)
  const odd = await startScriptedModel((request) => {
    const place = others.indexOf(request.messages[0]!.content)
    return place < 0 ? right(request) : hostile[place % hostile.length]!
  })
  try {
    await caller.model('odd', { baseUrl: odd.baseUrl, model: 'odd' })
    for (const policy of isLong ? ['published', 'sound'] : ['sound']) {
      const { result } = await resultOf({ model: 'odd', policy, limits: { turns: pickForRun(5, 8) } })
      const passed = result.samples.filter(({ score }) => score?.passed).map((one) => one.case)
      expect([result.overall.scored, passed]).toEqual([here.cases.length, [here.cases[0]!.id]])
    }
  } finally {
    await odd.close()
  }
})

test('the other policy leads dialogues, too, and without judges the scores of texts are null', async () => {
  const { result } = await resultOf({ model: 'mine', policy: 'sound', embeddings: 'vectors' })
  const verdictOf = (name: string) =>
    result.samples.find((one) => ways[wayOf(one.case) % ways.length]!.name === name)?.score?.verdict
  expect(verdictOf('right')).toBe('success')
  expect(verdictOf('a format error, then right')).toBe('success')
  expect(verdictOf('equal by response')).toBe('success')
  // Each reply is the same broken call: it is told so, and in the end the final text comes.
  expect(verdictOf('arguments that are no JSON')).toBe('value_error')
  expect(result.measures?.find(({ policy }) => policy === 'sound')?.values).toMatchObject({
    Completeness: null,
    Correctness: null,
  })
})

test('by commands: imported, evaluated, shown as the paper’s Table 2', async () => {
  const imported = await stateeval('import', 'complexfuncbench', sampleFolder, '--no-check', '--json')
  expect(imported).toMatchObject({ code: 0, value: { manifest: { counts: { kept: here.cases.length } } } })
  const id = String(imported.value.id)
  const parts = ['--judge', 'judge', '--embeddings', 'vectors']
  const evaluated = await stateeval('evaluate', '--benchmark', id, '--model', 'mine', ...parts, '--json')
  expect(evaluated.code).toBe(0)
  const { evaluation, result } = evaluated.value as { evaluation: string; result: ReportResult }
  const successes = Object.values(expected).filter((verdict) => verdict === 'success').length
  expect(result.overall).toMatchObject({ passed: successes, scored: here.cases.length })
  const [c] = here.cases
  const reference = await caller.call<{ steps: unknown }>(
    'GET',
    `/v1/benchmarks/${id}/cases/${c!.id}/reference`,
  )
  expect(reference.body.steps).toEqual(c!.task.turns)
  const shown = await stateeval('answers', evaluation, '--case', c!.id)
  const [{ name, arguments: args }] = c!.task.turns[0] as [{ name: string; arguments: string }]
  expect(shown.out).toContain(`step 1: ${name} ${args}`)
  const tables = await stateeval('tables', evaluation, '--format', 'markdown')
  expect(tables.out).toMatch(/Table 2, published/)
  expect(tables.out).toMatch(
    /\| Model \| Hotels Success \| Hotels Call Acc \|.*\| Overall Call Acc \| Completeness \| Correctness \|/,
  )
  expect(tables.out).toContain(`| ${(successes / 10).toFixed(2)} |`)
  for (const figure of ['Fig. 4', 'Fig. 5', 'Fig. 6']) expect(tables.out).toContain(figure)
})

test('by commands: a broken golden call is kept with a warning, and refused if import is strict', async () => {
  const [first, second, ...others] = sampleFiles['conversations.jsonl'].split('\n') as [string, string]
  const broken = join(folder, 'broken.jsonl')
  await writeFile(
    broken,
    [second, first.replace('"sort_by":"popularity"', '"sorted":"popularity"'), ...others].join('\n'),
  )
  const says =
    "broken.jsonl line 2: conversations[5].function_call[0] is broken, and kept and marked: Function Search_Hotels does not have parameters {'sorted'}"
  const kept = await stateeval('import', 'complexfuncbench', broken, '--no-check', '--json')
  expect([kept.code, JSON.stringify(kept.value)]).toEqual([0, expect.stringContaining('"marked":1')])
  const checked = await stateeval(
    'evaluate',
    '--benchmark',
    String(kept.value.id),
    '--model',
    'reference',
    '--json',
  )
  // The marked case has no reference under published; all others pass, and nothing is blocked.
  expect(checked.value).toMatchObject({
    result: { notScored: 1, overall: { passed: here.cases.length - 2 } },
  })
  const refused = await stateeval('import', 'complexfuncbench', broken, '--strict')
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(says)])
})

test('by commands: limits end dialogues, within bounds', async () => {
  const args = ['evaluate', '--benchmark', set, '--model', 'mine', '--limits']
  const { code, value } = await stateeval(...args, 'turns=1,seconds=600', '--json')
  expect(code).toBe(0)
  const { verdicts, options } = (value as { result: ReportResult }).result
  expect(options).toMatchObject({ limits: { turns: 1, seconds: 600 } })
  // Who answers with a text at once comes to no limit.
  const talkers = Object.values(expected).filter((verdict) => verdict === 'stop_early').length
  expect(verdicts).toMatchObject({ limit: here.cases.length - talkers, stop_early: talkers })
  const refused = await stateeval(...args, 'turns=101')
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringMatching(/a dialogue of complexfuncbench has at most 100 turns.*\(--limits\)/),
  ])
})
