/** How a question ends for its owner, with a test client and store. */
import { expect, test } from '@jest/globals'
import { type ModelSettings, ProblemError } from '@stateeval/contracts'
import {
  type AnswerStore,
  createMemoryAnswers,
  createAsker,
  createModelClient,
  createLiveModel,
  buildLiveQuestion,
  type ModelClient,
  type ModelReply,
  type ModelRequest,
  computeQuestionKey,
  readRules,
} from '@stateeval/models'
import { partial } from '@stateeval/testkit/partial'
import { storedEvaluation, storedItems } from '../../test/stored.ts'
import type { EvaluationParts } from '../context.ts'
import { type EvaluationOwner, type OwnerStore, noProgress, type StageProgress } from '@stateeval/jobs'
import { readRecording } from '../recordings/lines.ts'
import { importRecording, openRecordingLines, type StoredRecording } from '../recordings/recordings.ts'
import { buildAccount } from './account.ts'
import { type AskedFor, askModel } from './ask-model.ts'

const settings: ModelSettings = { baseUrl: 'http://127.0.0.1:9/v1', model: 'x' }
const signal = new AbortController().signal
const tooLong: ModelReply = { status: 'refused', kind: 'context', reason: 'too long', retries: 0 }
const done = (text: string): ModelReply => ({
  status: 'done',
  text,
  finish: 'stop',
  usage: { requests: 1, promptTokens: 10, completionTokens: 5 },
  retries: 0,
})

const ownerOf = (id: string, over: Partial<EvaluationOwner> = {}) =>
  storedEvaluation(settings, { id, ...over })

function world({
  answers = createMemoryAnswers(),
  progress = noProgress,
  outcomes = [],
  modelClient,
}: { answers?: AnswerStore; progress?: StageProgress; outcomes?: object[]; modelClient?: ModelClient } = {}) {
  const questions: string[] = []
  const ended = new Set<string>()
  const resumed = new Set<string>()
  const recordings = new Map<string, StoredRecording>()
  const replies = new Map<string, ModelReply | (() => Promise<ModelReply>)>()
  const items = storedItems(outcomes, progress)
  const asker = createAsker({
    answers,
    ledger: items.ledger,
    modelClient: modelClient ?? {
      async ask(_model: unknown, { messages, before, settle }: ModelRequest) {
        const text = messages[0]?.content ?? ''
        const reason = await before?.()
        if (typeof reason === 'string') return { status: 'refused', kind: 'held', reason, retries: 0 }
        questions.push(text)
        const script = replies.get(text) ?? done(`answer to ${text}`)
        const reply = typeof script === 'function' ? await script() : script
        if (reply.status !== 'failed') await settle?.(reply)
        return reply
      },
    },
  })
  const context = partial<EvaluationParts>({
    ...items,
    asker,
    liveAsker: asker,
    answers,
    owners: partial<OwnerStore>({
      recent: async (id) => ownerOf(id, ended.has(id) ? { status: 'cancelled' } : {}),
      get: async (id) => ownerOf(id, ended.has(id) && !resumed.has(id) ? { status: 'cancelled' } : {}),
    }),
    now: () => new Date(0),
    recordings: { put: async (id, value) => Boolean(recordings.set(id, value as StoredRecording)) },
  })
  const ask = (owner: EvaluationOwner, text: string, part?: string): Promise<AskedFor> =>
    askModel(
      context,
      owner,
      `${owner.id}/samples/${text}@0`,
      { model: { name: 'mine', settings }, messages: [{ role: 'user', content: text }], sample: 0 },
      signal,
      part,
    )
  return { context, ask, ended, resumed, questions, replies, answers }
}

test('a question whose turn comes after its evaluation was cancelled is not sent, and asked when it is resumed', async () => {
  const { ask, ended, resumed, questions } = world()
  await ask(ownerOf('ev_1'), 'a')
  ended.add('ev_1')
  expect(await ask(ownerOf('ev_1'), 'b')).toMatchObject({ kind: 'ended' })
  expect(questions).toEqual(['a'])
  // Another replica resumes it; this one has not heard of that.
  resumed.add('ev_1')
  expect(await ask(ownerOf('ev_1'), 'b')).toMatchObject({ kind: 'answered' })
})

test('a repeated evaluation, whose answers are kept, loses one over-long prompt only', async () => {
  const first = world()
  first.replies.set('long', tooLong)
  await Promise.all(['a', 'b'].map((text) => first.ask(ownerOf('ev_1'), text)))
  expect(await first.ask(ownerOf('ev_1'), 'long')).toMatchObject({ kind: 'unanswered', refused: true })

  const again = world({ answers: first.answers })
  again.replies.set('long', tooLong)
  const owner = ownerOf('ev_2')
  expect(await again.ask(owner, 'a')).toMatchObject({
    kind: 'answered',
    answer: { kept: true, usage: { requests: 0 } },
  })
  expect(await again.ask(owner, 'long')).toMatchObject({ kind: 'unanswered', refused: true })
  expect(again.questions).toEqual(['long'])
})

test('and so does one that another process goes on with, after kept answers have ended', async () => {
  const { ask, replies } = world({ progress: { ...noProgress, items: 2, notScored: 1 } })
  replies.set('long', tooLong)
  const stages = { samples: { total: 4, partitions: 1 } }
  expect(await ask(ownerOf('ev_2', { stages }), 'long')).toMatchObject({ kind: 'unanswered' })
})

test('a refusal comes faster than an answer: the first of several says nothing of the others', async () => {
  const { ask, replies } = world()
  replies.set('long', tooLong)
  const asked = Promise.withResolvers<(reply: ModelReply) => void>()
  replies.set('slow', () => new Promise(asked.resolve))
  const long = ask(ownerOf('ev_1'), 'long')
  const slow = ask(ownerOf('ev_1'), 'slow')
  const say = await asked.promise
  setTimeout(() => say(done('at last')), 50)
  expect(await slow).toMatchObject({ kind: 'answered' })
  expect(await long).toMatchObject({ kind: 'unanswered', refused: true })
})

test('where nothing but refusals comes, the evaluation stops, with what to do', async () => {
  const { ask, replies } = world()
  for (const text of ['a', 'b', 'c']) replies.set(text, tooLong)
  const ended = await Promise.all(['a', 'b', 'c'].map((text) => ask(ownerOf('ev_1'), text)))
  for (const one of ended)
    expect(one).toMatchObject({
      kind: 'stop',
      status: 'failed',
      reason:
        'too long; correct the model (PUT /v1/models/mine), then resume the evaluation: POST /v1/evaluations/ev_1/resume',
    })
})

test('an evaluation that has answers already is not told to change its model', async () => {
  const { ask, replies } = world()
  replies.set('b', { status: 'refused', kind: 'model', reason: 'there is no model "x"', retries: 0 })
  replies.set('c', { status: 'refused', kind: 'unreachable', reason: 'down', retries: 3 })
  await ask(ownerOf('ev_1'), 'a')
  expect(await ask(ownerOf('ev_1'), 'b')).toMatchObject({
    kind: 'stop',
    reason: expect.stringContaining('start a new evaluation'),
  })
  expect(await ask(ownerOf('ev_1'), 'c')).toMatchObject({
    reason: 'down; then resume the evaluation: POST /v1/evaluations/ev_1/resume',
  })
})

const refusals = ['context', 'request', 'key', 'model', 'host', 'quota'] as const
test.each(refusals)('a judge that refuses words with %s stops nothing if it takes others', async (kind) => {
  const refusal: ModelReply = { status: 'refused', kind, reason: 'no', retries: 0 }
  const owner = ownerOf('ev_1', { parties: { 'judge:a': { kind: 'endpoint', name: 'mine', settings } } })
  const { ask, replies } = world()
  for (const text of ['a', 'b', 'c', 'd']) replies.set(text, refusal)
  for (const text of ['a', 'b', 'c', 'd'])
    expect(await ask(owner, text, 'judge:a')).toEqual({
      ...{ kind: 'unanswered', refused: true, reason: 'no' },
      ...(kind === 'context' && { refusal: kind }),
    })
  // One that refuses every word is to be corrected, unless it answered before.
  const away = world({ modelClient: partial<ModelClient>({ ask: async () => refusal }) })
  expect(
    await away.ask({ ...owner, stages: { samples: { total: 1, partitions: 1 } } }, 'a', 'judge:a'),
  ).toMatchObject({
    kind: 'stop',
    status: 'failed',
  })
})

test('requests that the live client refuses stop nothing, however many', async () => {
  const { ask, replies } = world()
  const parties = { 'http:facts': { kind: 'endpoint' as const, name: 'facts', settings, fresh: true } }
  for (const text of ['a', 'b', 'c', 'd']) {
    replies.set(text, { status: 'refused', kind: 'request', reason: 'too long', retries: 0 })
    expect(await ask(ownerOf('ev_1', { parties }), text, 'http:facts')).toMatchObject({ kind: 'unanswered' })
  }
})

test('a budget is held against every answer before it: with one question at a time nothing is paid beyond it', async () => {
  let requests = 0
  const fetch = async () => {
    requests++
    const body = {
      choices: [{ message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    }
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  }
  const client = createModelClient({
    ...readRules({}, ['loopback']),
    pause: async () => {},
    clock: () => 0,
    now: () => 0,
    random: () => 1,
    fetch,
  })
  const one: ModelClient = {
    ...client,
    ask: ({ name }, ...rest) => client.ask({ name, settings: { ...settings, concurrency: 1 } }, ...rest),
  }
  const inMemory = createMemoryAnswers()
  const slow: AnswerStore = {
    ...inMemory,
    // A store takes longer than the next in line needs to go.
    put: async (id, answer) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return inMemory.put(id, answer)
    },
  }
  const { ask } = world({ answers: slow, modelClient: one })
  const owner = ownerOf('ev_1', { budget: { tokens: 30 } })
  const ended = await Promise.all(['a', 'b', 'c', 'd'].map((text) => ask(owner, text)))
  expect(ended.map(({ kind }) => kind)).toEqual(['answered', 'answered', 'stop', 'stop'])
  expect([requests, inMemory.size]).toEqual([2, 2])
})

test('a judge is paid from the same budget, at the price of the dearest model', async () => {
  const prices = { promptPerMillion: 100_000, completionPerMillion: 100_000 }
  const judge = { kind: 'endpoint' as const, name: 'judge', settings: { ...settings, prices } }
  const owner = ownerOf('ev_1', {
    budget: { usd: 2 },
    model: {
      kind: 'endpoint',
      name: 'mine',
      settings: { ...settings, prices: { ...prices, promptPerMillion: 0 } },
    },
    parties: { 'judge:a': judge },
  })
  const { ask, context } = world()
  // 15 tokens each: 1.5 dollars at the judge's prices, whoever answers.
  expect(await ask(owner, 'a')).toMatchObject({ kind: 'answered' })
  expect(await ask(owner, 'b', 'judge:a')).toMatchObject({ kind: 'answered' })
  expect(await context.ledger.usageOf({ id: owner.id })).toMatchObject({ requests: 2, promptTokens: 20 })
  const account = buildAccount(context, owner, 'judge:a')
  expect(await account.over?.({ requests: 2, promptTokens: 20, completionTokens: 10 })).toContain('$2')
})

test('a live answer is shared within its evaluation, or from a recording; a judge’s with everybody', async () => {
  const party = { kind: 'endpoint' as const, name: 'mine', settings }
  const parties = { 'judge:a': party, 'http:facts': { ...party, fresh: true } }
  const { ask, questions } = world()
  for (const id of ['ev_1', 'ev_1', 'ev_2']) {
    await ask(ownerOf(id, { parties }), 'live', 'http:facts')
    await ask(ownerOf(id, { parties }), 'judge', 'judge:a')
  }
  expect(questions).toEqual(['live', 'judge', 'live'])
})

test('a live API that cannot be asked stops the evaluation with the setting to correct', async () => {
  const { ask, replies } = world()
  replies.set('live', { status: 'refused', kind: 'key', reason: 'KEY is not set', retries: 0 })
  const parties = { 'http:facts': { kind: 'endpoint' as const, name: 'facts', settings, fresh: true } }
  expect(await ask(ownerOf('ev_1', { parties }), 'live', 'http:facts')).toEqual({
    kind: 'stop',
    status: 'failed',
    reason:
      'KEY is not set; correct STATEEVAL_LIVE_APIS_FILE of the service, then resume the evaluation: POST /v1/evaluations/ev_1/resume',
  })
})

test('recorded responses of a live API: what none of them answers is said to be so, and repeated so', async () => {
  const question = (path: string) =>
    buildLiveQuestion({ api: 'facts', method: 'GET', path, query: { q: 'x' } })
  const askLive = (context: EvaluationParts, owner: EvaluationOwner, path: string) =>
    askModel(context, owner, `${owner.id}/${path}`, question(path), signal, 'http:facts')
  const party = { kind: 'endpoint' as const, ...createLiveModel('facts') }
  const { context, answers, questions } = world()
  await askLive(context, ownerOf('ev_1', { parties: { 'http:facts': { ...party, fresh: true } } }), '/known')
  expect(questions).toHaveLength(1)

  const owner = ownerOf('ev_2', { parties: { 'http:facts': { ...party, responses: ['ev_1'] } } })
  const hit = await askLive(context, owner, '/known')
  const unknown = await askLive(context, owner, '/unknown')
  expect(hit).toMatchObject({ kind: 'answered', answer: { kept: true } })
  const silence = { refused: true, reason: 'GET /unknown?q=x of facts is not recorded', unrecorded: true }
  expect(unknown).toEqual({ kind: 'unanswered', ...silence })
  expect(questions).toHaveLength(1)

  const outcomes = [
    {
      storeKeys: hit.kind === 'answered' ? [hit.answer.storeKey] : [],
      unanswered: [{ key: computeQuestionKey(question('/unknown')), ...silence }],
    },
  ]
  let text = ''
  const stages = { samples: { total: 1, partitions: 1 } }
  for await (const line of openRecordingLines(world({ answers, outcomes }).context, { ...owner, stages }))
    text += line
  const there = world()
  const { id } = await importRecording(there.context, readRecording(text.split('\n')))
  const again = ownerOf('ev_3', { parties: { 'http:facts': { ...party, recording: id } } })
  expect(await askLive(there.context, again, '/known')).toMatchObject({ kind: 'answered' })
  expect(await askLive(there.context, again, '/unknown')).toEqual({ kind: 'unanswered', ...silence })
  // A whole repetition needs every question; one that is missing stops it.
  expect(await askLive(there.context, again, '/third')).toMatchObject({ kind: 'stop', status: 'failed' })
})

test('a recording has questions without an answer, too, and answers them so', async () => {
  const { ask, answers, context, replies } = world()
  replies.set('b', { status: 'failed', reason: 'HTTP 500 (given up after 7 tries)', retries: 6 })
  replies.set('c', tooLong)
  const owner = ownerOf('ev_1')
  const outcomes = []
  for (const text of ['a', 'b', 'c']) {
    const one = await ask(owner, text)
    const { computeAnswerKey: answerKey } = await import('@stateeval/models')
    const key = answerKey(settings, { messages: [{ role: 'user', content: text }] }, 0)
    outcomes.push(
      one.kind === 'answered'
        ? { storeKeys: [one.answer.storeKey] }
        : { unanswered: [{ key, ...one, kind: undefined }] },
    )
  }
  const recorded = world({ answers, outcomes })
  let text = ''
  for await (const line of openRecordingLines(recorded.context, {
    ...owner,
    stages: { samples: { total: 3, partitions: 3 } },
  }))
    text += line
  expect(text.trim().split('\n')).toHaveLength(4)

  const there = world()
  const { id, answers: count } = await importRecording(there.context, readRecording(text.split('\n')))
  expect(count).toBe(1)
  const replayed = ownerOf('ev_2', { model: { kind: 'endpoint', name: 'mine', settings, recording: id } })
  expect(await there.ask(replayed, 'a')).toMatchObject({ kind: 'answered', answer: { text: 'answer to a' } })
  expect(await there.ask(replayed, 'b')).toEqual({
    kind: 'unanswered',
    refused: false,
    reason: 'HTTP 500 (given up after 7 tries)',
  })
  expect(await there.ask(replayed, 'c')).toEqual({
    ...{ kind: 'unanswered', refused: true, refusal: 'context', reason: 'too long' },
  })
  expect(await there.ask(replayed, 'd')).toMatchObject({ kind: 'stop', status: 'failed' })
  expect(await context.ledger.usageOf({ id: 'ev_1' })).toMatchObject({ requests: 1 })
})

const heading = JSON.stringify({ recording: 2, model: { name: 'm', settings }, digest: 'm', options: {} })
const key = 'a'.repeat(64)
const usage = { requests: 1, promptTokens: 1, completionTokens: 1 }
test.each([
  ['null', '', 'line 2 of the recording is not an answer'],
  ['[]', '', 'line 2 of the recording is not an answer'],
  ['{"key":', '', 'line 2 of the recording is not valid JSON'],
  [JSON.stringify({ key, text: 'x', finish: 'stop', usage: {}, retries: 0 }), '', '/usage/requests'],
  [JSON.stringify({ key: 'short', unanswered: 'x' }), '', '/key'],
  [JSON.stringify({ key, unanswered: 7 }), '', '/unanswered'],
  [JSON.stringify({ key, unanswered: 'x', unrecorded: 1 }), '', '/unrecorded'],
  [
    `\n\n${JSON.stringify({ key, text: 'x', finish: 'stop', usage, retries: 0, toolCalls: [null] })}`,
    '',
    'line 4 of the recording',
  ],
  [
    JSON.stringify({ key, text: 'x', finish: 'stop', usage: { ...usage, promptTokens: -1e9 }, retries: 0 }),
    '',
    '/usage/promptTokens',
  ],
  [JSON.stringify({ key, text: '{"0":"7"}', finish: 'seeds', usage, retries: 0 }), '', 'no seeds of worlds'],
  [JSON.stringify({ key, text: 'seeds', finish: 'seeds', usage, retries: 0 }), '', 'is not JSON'],
  ['', 'null', 'line 1 of the recording is not the heading'],
  ['', '{"recording":2,"model":"m"}', 'line 1 of the recording is not the heading'],
  [
    '',
    '{"recording":2,"model":{"name":"m","settings":{"baseUrl":"http://me:secret@x/","model":"x"}}}',
    'user or password',
  ],
  ['', ' \n', 'line 1 of the recording is not the heading'],
])('the line %j is refused by its number', async (line, first, says) => {
  const read = () => readRecording([first || heading, ...line.split('\n'), ''])
  expect(read).toThrow(ProblemError)
  expect(read).toThrow(expect.objectContaining({ field: '/text', message: expect.stringContaining(says) }))
})
