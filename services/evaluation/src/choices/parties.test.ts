/** The parties of a dialogue, and the errors with their remedies. */
import { expect, test } from '@jest/globals'
import type { EvaluationOptions, EvaluationRequest, ModelSettings } from '@stateeval/contracts'
import { createLiveModel } from '@stateeval/models'
import type { Benchmark, ConsultedParty } from '@stateeval/program'
import { partial } from '@stateeval/testkit/partial'
import type { OwnerStore } from '@stateeval/jobs'
import { chooseParties } from './parties.ts'

const baseUrl = 'http://127.0.0.1:9/v1'
const models: Record<string, ModelSettings> = {
  strict: { baseUrl, model: 'j' },
  vectors: { baseUrl, model: 'e', api: 'embeddings' },
  plain: { baseUrl, model: 'p', api: 'completions' },
  down: { baseUrl, model: 'down' },
}
const recording = `rec_${'a'.repeat(64)}`
const recorded = { name: 'recorded', settings: { baseUrl, model: 'r' } }
const storedRecording = `rec_${'b'.repeat(64)}`
const recordedParties: Record<string, Record<string, typeof recorded>> = {
  [recording]: { 'judge:a': recorded },
  [storedRecording]: { 'http:facts': recorded, 'http:other': recorded },
}
const live = (more: object) => ({ kind: 'endpoint', name: 'facts', settings: recorded.settings, ...more })
const evaluations: Record<string, object> = {
  ev_live: { ended: {}, parties: { 'http:facts': live({ fresh: true }), 'http:others': live({}) } },
  ev_repeated: { ended: {}, parties: { 'http:facts': live({ recording: storedRecording }) } },
  ev_responses: { ended: {}, parties: { 'http:facts': live({ responses: ['ev_first', storedRecording] }) } },
  ev_other: { ended: {}, parties: { 'http:weather': live({ fresh: true }) } },
  ev_none: { ended: {} },
  ev_running: { parties: { 'http:facts': live({ fresh: true }) } },
}
const context = {
  owners: partial<OwnerStore>({
    evaluation: async (id) => evaluations[id] ?? null,
  }),
  fileModels: new Map(Object.entries(models)),
  models: { get: async () => null },
  liveApis: new Map([['facts', { baseUrl }]]),
  modelClient: {
    check: async ({ model }: ModelSettings) => (model === 'down' ? 'it is down' : null),
  },
  recordings: {
    get: async (id: string) =>
      recordedParties[id] ? { ...recorded, answers: 1, parties: recordedParties[id] } : null,
  },
}
const consulted: ConsultedParty[] = [
  { what: 'judge:a', required: true },
  { what: 'judge:b', required: false },
  { what: 'user', required: false },
  { what: 'similar', required: false },
  { what: 'http:facts', required: false },
]
const choose = (request: Partial<EvaluationRequest>, parts = consulted) =>
  chooseParties(
    context,
    { benchmark: 'bm_1', model: 'reference', ...request },
    partial<Benchmark>({ kind: 'talks', asking: { consults: () => parts } }),
    partial<EvaluationOptions>({}),
  )

test('one name is for every judge, or each has its own; a live API needs no name', async () => {
  expect(await choose({ judge: 'strict', user: 'strict', embeddings: 'vectors', fresh: true })).toMatchObject(
    {
      'judge:a': { name: 'strict', settings: models['strict'], fresh: true },
      'judge:b': { name: 'strict' },
      user: { name: 'strict' },
      similar: { name: 'vectors' },
      'http:facts': { name: 'facts', fresh: true },
    },
  )
  expect(Object.keys((await choose({ judge: { a: 'strict' } })) ?? {})).toEqual(['judge:a', 'http:facts'])
  expect(await choose({}, [])).toBeUndefined()
})

test('a recording plays the parts that it has: in place of a model, or of one judge', async () => {
  const expected = { 'judge:a': { name: 'recorded', recording } }
  expect(await choose({ recording })).toMatchObject(expected)
  expect(await choose({ judge: { a: recording } })).toMatchObject(expected)
  expect(await choose({ recording, judge: { a: 'strict' } })).toMatchObject({ 'judge:a': { name: 'strict' } })
})

const other: ConsultedParty[] = [...consulted.slice(1), { what: 'http:other', required: true }]

test('a live API that the service has is asked; else the named responses are taken, wherever they are', async () => {
  const responses = ['ev_responses', 'ev_repeated', storedRecording]
  expect(await choose({ responses }, other)).toEqual({
    'http:facts': expect.objectContaining({ fresh: true }),
    'http:other': { kind: 'endpoint', ...createLiveModel('other'), responses: [storedRecording] },
  })
  const elsewhere = { ...context, liveApis: new Map() }
  const from = async (...names: string[]) =>
    (
      await chooseParties(
        elsewhere,
        { benchmark: 'bm_1', model: 'reference', judge: 'strict', responses: names },
        partial<Benchmark>({ kind: 'talks', asking: { consults: () => consulted } }),
        partial<EvaluationOptions>({}),
      )
    )?.['http:facts']?.responses
  expect(await from('ev_live')).toEqual(['ev_live'])
  // An evaluation that had its own responses from elsewhere leads there, and each source is looked into once.
  expect(await from('ev_repeated')).toEqual([storedRecording])
  expect(await from('ev_responses', 'ev_live', storedRecording)).toEqual([
    'ev_first',
    storedRecording,
    'ev_live',
  ])
})

const refused: [Partial<EvaluationRequest>, string, string, ConsultedParty[]?][] = [
  [{}, '/judge', 'talks needs judge:a; name a model in judge, or in judge.a'],
  [{ judge: { b: 'strict' } }, '/judge/a', 'talks needs judge:a'],
  [{ judge: { a: 'strict', c: 'strict' } }, '/judge/c', 'talks has no judge c; it has a, b'],
  [{ judge: 'nobody' }, '/judge', 'there is no model "nobody"'],
  [
    { judge: 'vectors' },
    '/judge',
    'the model vectors has the api embeddings; for judge:a name a model of api chat',
  ],
  [{ judge: 'strict', embeddings: 'strict' }, '/embeddings', 'for similar name a model of api embeddings'],
  [{ judge: 'strict', user: 'plain' }, '/user', 'for user name a model of api chat'],
  [{ judge: 'down' }, '/judge', 'the model down cannot be asked: it is down'],
  [{ judge: 'strict', budget: { usd: 1 } }, '/budget/usd', 'prices'],
  [{ judge: { a: 'strict', b: recording } }, '/judge/b', 'has no model for judge:b'],
  [{ judge: 'strict' }, '/judge', 'talks has no judge; leave judge out', []],
  [{ user: 'strict' }, '/user', 'talks simulates no user', []],
  [{ embeddings: 'vectors' }, '/embeddings', 'compares no texts', []],
  [
    {},
    '',
    'declare the live API other in STATEEVAL_LIVE_APIS_FILE',
    [{ what: 'http:other', required: true }],
  ],
  [{}, '', 'or name recorded responses in responses', [{ what: 'http:other', required: true }]],
  [{ judge: 'strict', responses: ['ev_gone'] }, '/responses/0', 'there is no evaluation "ev_gone"'],
  [
    { judge: 'strict', responses: [storedRecording, recording] },
    '/responses/1',
    'has no responses of a live API',
  ],
  [
    { judge: 'strict', responses: ['ev_none'] },
    '/responses/0',
    'has no responses of a live API; leave it out',
  ],
  [{ judge: 'strict', responses: ['ev_running'] }, '/responses/0', 'has not succeeded yet'],
  [
    { judge: 'strict', responses: ['ev_other'] },
    '/responses/0',
    'has responses of weather only, which talks does not call',
  ],
  [{ judge: 'strict', responses: [`rec_${'c'.repeat(64)}`] }, '/responses/0', 'there is no recording'],
  [{ responses: ['ev_live'] }, '/responses', 'talks calls no live API; leave responses out', []],
  [{}, '/user', 'name a model in user', [{ what: 'user', required: true }]],
  [{}, '/embeddings', 'name a model of api embeddings in embeddings', [{ what: 'similar', required: true }]],
]
test.each(refused.map((row) => ({ row })))('$row.0 is refused at $row.1', async ({ row }) => {
  const [request, field, says, parts] = row
  await expect(choose(request, parts)).rejects.toMatchObject({
    field,
    message: expect.stringContaining(says),
  })
})
