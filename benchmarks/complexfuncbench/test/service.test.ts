/** The sample through real services, over HTTP: imported, evaluated with everybody whom a dialogue can ask, reported, repeated. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, ReportResult } from '@stateeval/contracts'
import { type ScriptedModel, startScriptedModel, startSuite, type Suite } from '@stateeval/testkit'
import { callerAt } from '../../../services/evaluation/test/over-http.ts'
import presentation from '../presentation/index.ts'
import { hereWith, sampleFiles } from './here.ts'
import { endpointOf, judge, type LiveApi, startLiveApi, ways } from './model.ts'

const here = hereWith(sampleFiles)
const places = new Map(here.cases.map(({ id }, at) => [id, at]))
const wayOf = (id: string) => places.get(id)!
const expected = Object.fromEntries(here.cases.map(({ id }, at) => [id, ways[at % ways.length]!.verdict]))

let suite: Suite
let model: ScriptedModel
let judging: ScriptedModel
let embeddings: ScriptedModel
let live: LiveApi
let folder: string
let set: string
const caller = callerAt(() => suite.urls['evaluation']!)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-complexfuncbench-'))
  live = await startLiveApi()
  const apis = join(folder, 'apis.json')
  const booking = { baseUrl: live.url, headers: { 'x-key': 'secret' } }
  await writeFile(apis, JSON.stringify({ booking }))
  suite = await startSuite({
    only: ['scoring', 'evaluation'],
    env: { STATEEVAL_LIVE_APIS_FILE: apis },
  })
  await Promise.all(Object.values(suite.services).map(({ context }) => context.bus.ready()))
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
}, 300_000)
afterAll(async () => {
  await suite?.stop()
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

test('the published format is imported; a broken golden call is refused with its line and the reason', async () => {
  const imported = await caller.call<BenchmarkResource>('POST', '/v1/benchmarks/datasets', {
    kind: 'complexfuncbench',
    files: sampleFiles,
  })
  expect([imported.status, imported.body.manifest?.counts.kept]).toEqual([201, here.cases.length])
  set = imported.body.id
  const broken = sampleFiles['conversations.jsonl'].replace('"sort_by":"popularity"', '"sorted":"popularity"')
  const refused = await caller.call<{ detail: string }>('POST', '/v1/benchmarks/datasets', {
    kind: 'complexfuncbench',
    files: { 'conversations.jsonl': broken },
  })
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    "conversations.jsonl line 1: conversations[5].function_call[0] is broken: Function Search_Hotels does not have parameters {'sorted'}",
  ])
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

  const shown = presentation.sections!(result)
  expect(JSON.stringify(shown)).toContain('Self-correction rate')
  expect(presentation.failureSections!(result)).toHaveLength(1)
  const [table] = presentation.paper!.tables([result], 'sound', { tables: {} })
  expect(table?.head.slice(0, 3)).toEqual(['Model', 'Hotels Success', 'Hotels Call Acc'])
  expect(table?.rows[0]?.[0]).toBe('mine')
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
