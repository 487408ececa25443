/** Asking once, whoever asks: with a client and a store of the test's own. */
import { deflateRawSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit/until'
import {
  type SpendingAccount,
  createMemoryAnswers,
  createAsker,
  createLedger,
  type ModelClient,
  type ModelReply,
  type ModelQuestion,
  computeQuestionKey,
  readerVersion,
  type StoredReply,
} from '../src/index.ts'

const signal = new AbortController().signal
const done = (text: string): ModelReply => ({
  status: 'done',
  text,
  finish: 'stop',
  usage: { requests: 1, promptTokens: 10, completionTokens: 5 },
  retries: 0,
})
const about = (text: string, more: Partial<ModelQuestion> = {}): ModelQuestion => ({
  model: { name: 'm', settings: { baseUrl: 'http://127.0.0.1:9/v1', model: 'x' } },
  messages: [{ role: 'user', content: text }],
  ...more,
})
const evaluation: SpendingAccount = { id: 'ev_1', by: 'ev_1' }

function world(replyTo: (text: string) => ModelReply | Promise<ModelReply> = done) {
  const requests: string[] = []
  const ask: ModelClient['ask'] = async (_, { messages, before, settle }) => {
    const holdReason = await before?.()
    if (holdReason != null) return { status: 'refused', kind: 'held', reason: holdReason, retries: 0 }
    const text = messages[0]?.content ?? ''
    requests.push(text)
    const reply = await replyTo(text)
    if (reply.status !== 'failed') await settle?.(reply)
    return reply
  }
  const ledger = createLedger()
  const answers = createMemoryAnswers()
  return { requests, ledger, answers, ...createAsker({ modelClient: { ask }, answers, ledger }) }
}

test('samples are asked apart; a judge is asked once for all of them, and again where an attempt says so', async () => {
  const { ask, requests } = world()
  for (const sample of [0, 1]) await ask(evaluation, `s${sample}`, about('solve it', { sample }), signal)
  expect(requests).toHaveLength(2)
  for (const step of ['s0', 's1']) await ask(evaluation, step, about('judge it'), signal)
  expect(requests).toHaveLength(3)
  await ask(evaluation, 's1', about('judge it', { attempt: 1 }), signal)
  expect(requests).toHaveLength(4)
  const keys = [about('a'), about('a', { sample: 0 }), about('a', { attempt: 1 })].map(computeQuestionKey)
  expect(new Set(keys).size).toBe(3)
})

test('who asks the same at the same time waits for the one answer, and pays nothing', async () => {
  let say = (_: ModelReply) => {}
  const { ask, requests, ledger } = world(() => new Promise((resolve) => (say = resolve)))
  const first = ask(evaluation, 'a', about('the same'), signal)
  const second = ask({ id: 'ev_2', by: 'ev_2' }, 'b', about('the same'), signal)
  await until(() => requests.length === 1)
  say(done('once'))
  expect(await first).toMatchObject({ kind: 'answered', answer: { kept: false, usage: { requests: 1 } } })
  expect(await second).toMatchObject({
    kind: 'answered',
    answer: { text: 'once', kept: true, usage: { requests: 0 } },
  })
  expect(requests).toHaveLength(1)
  expect(await ledger.usageOf({ id: 'ev_2' })).toMatchObject({ requests: 0 })
})

test('a question that items of one account share is paid by one of them, also when that one begins again', async () => {
  const { ask, ledger } = world()
  const promptTokens = async (step: string) => {
    const end = await ask(evaluation, step, about('judge it'), signal)
    return end.kind === 'answered' ? end.answer.usage.promptTokens : null
  }
  const steps = Array.from({ length: 5 }, (_, n) => `ev_1/samples/${n}@1`)
  const tokens = []
  for (const step of [...steps, ...steps]) tokens.push(await promptTokens(step))
  expect(tokens).toEqual([10, 0, 0, 0, 0, 10, 0, 0, 0, 0])
  expect(await ledger.usageOf(evaluation)).toMatchObject({ requests: 1, promptTokens: 10 })
})

test('an estimate is marked in the answer, in what is kept, and in what the account used', async () => {
  const usage = { requests: 1, promptTokens: 10, completionTokens: 5, estimated: 1 }
  const { ask, ledger, answers } = world((text) => ({ ...done(text), ...(text !== 'counted' && { usage }) }))
  for (const text of ['a', 'counted', 'b', 'a'])
    expect(await ask(evaluation, text, about(text), signal)).toMatchObject({
      answer: { usage: text === 'counted' ? { requests: 1 } : usage },
    })
  expect(await ledger.usageOf(evaluation)).toEqual({
    ...{ requests: 3, promptTokens: 30, completionTokens: 15, estimated: 2 },
  })
  expect((await answers.get(computeQuestionKey(about('b'))))?.usage).toEqual(usage)
})

test('where the one answer does not come, the next in line asks by itself', async () => {
  let tries = 0
  const { ask } = world(() =>
    tries++ === 0 ? { status: 'failed', reason: 'HTTP 500', retries: 6 } : done('at last'),
  )
  const [first, second] = await Promise.all([
    ask(evaluation, 'a', about('the same'), signal),
    ask(evaluation, 'b', about('the same'), signal),
  ])
  expect(first).toEqual({ kind: 'unanswered', cause: 'failed', refused: false, reason: 'HTTP 500' })
  expect(second).toMatchObject({ kind: 'answered', answer: { text: 'at last' } })
})

test('an optional account closes with the first refusal that concerns every question; others go on', async () => {
  const refused: ModelReply = { status: 'refused', kind: 'key', reason: 'no key', retries: 0 }
  const { ask, requests } = world(() => refused)
  const opinions: SpendingAccount = { id: 'ev_1/opinions', by: 'ev_1', optional: true }
  expect(await ask(opinions, 'a', about('a'), signal)).toMatchObject({ cause: 'key', reason: 'no key' })
  expect(await ask(opinions, 'b', about('b'), signal)).toMatchObject({ cause: 'held', reason: 'no key' })
  expect(requests).toEqual(['a'])
  for (const text of ['a', 'b']) await ask(evaluation, text, about(text), signal)
  expect(requests).toEqual(['a', 'a', 'b'])
})

test('what other replicas have used counts; a question beyond the budget is not sent', async () => {
  const { ask, requests } = world()
  const account: SpendingAccount = {
    ...evaluation,
    ended: async () => ({ requests: 3, promptTokens: 20, completionTokens: 5 }),
    over: async ({ promptTokens }) => (promptTokens >= 30 ? 'the budget is spent' : null),
  }
  expect(await ask(account, 'a', about('a'), signal)).toMatchObject({ kind: 'answered' })
  expect(await ask(account, 'b', about('b'), signal)).toMatchObject({
    kind: 'unanswered',
    cause: 'held',
    reason: 'the budget is spent',
  })
  expect(requests).toEqual(['a'])
})

test('whoever waits for an account is woken by its own news, by the signal, or by time', async () => {
  const ledger = createLedger()
  let woken = ''
  const wait = (id: string, ms = 60_000, until = signal) =>
    ledger.change({ id }, ms, until).then(() => void (woken += id))
  const stopped = new AbortController()
  const all = [wait('a'), wait('b'), wait('c', 60_000, stopped.signal)]
  ledger.refuse({ id: 'b' }, 'step')
  await all[1]
  expect(woken).toBe('b')
  await ledger.add({ id: 'a' }, { requests: 1, promptTokens: 1, completionTokens: 1 })
  await all[0]
  stopped.abort()
  await all[2]
  await wait('d', 1)
  expect(woken).toBe('bacd')
})

test('recorded responses answer the same question, the first source that has one; nobody is asked', async () => {
  const { ask, requests, answers, ledger } = world()
  const first: SpendingAccount = { id: 'ev_1', by: 'ev_1', fresh: true }
  await ask(first, 'a', about('a'), signal)
  await ask({ id: 'ev_0', by: 'ev_0' }, 'c', about('c'), signal)
  const inRecording = { ...(await answers.get(`${computeQuestionKey(about('a'))}~ev_1`))!, by: 'rec_1' }
  const silence = { unanswered: { refused: false, reason: 'HTTP 500' } }
  await answers.put(`rec_1/${computeQuestionKey(about('a'))}`, { ...inRecording, ...silence })
  await answers.put(`rec_1/${computeQuestionKey(about('b'))}`, { ...inRecording, text: 'b of the recording' })
  requests.length = 0
  const responses = [{ recording: 'rec_1' }, { by: 'ev_1' }]
  const account: SpendingAccount = { id: 'ev_2', by: 'ev_2', responses }
  const answer = (text: string, storeKey: string) => ({
    kind: 'answered',
    answer: { text, storeKey, kept: true, usage: { requests: 0 } },
  })
  // The recording's question had no answer, the evaluation's had one.
  expect(await ask(account, 'a', about('a'), signal)).toMatchObject(
    answer('a', `${computeQuestionKey(about('a'))}~ev_1`),
  )
  expect(await ask(account, 'b', about('b'), signal)).toMatchObject(
    answer('b of the recording', `rec_1/${computeQuestionKey(about('b'))}`),
  )
  // What was answered to nobody in particular is no recorded response.
  for (const text of ['c', 'd'])
    expect(await ask(account, text, about(text), signal)).toEqual({
      kind: 'unanswered',
      cause: 'unrecorded',
      refused: true,
      reason: 'no recorded response answers this question',
      unrecorded: true,
    })
  expect(requests).toEqual([])
  expect(await ledger.usageOf(account)).toMatchObject({ requests: 0 })
})

test('a reply that another version has read is read again; one that is no answer is asked for again', async () => {
  const storedReply = (form: StoredReply['form'], choice: object): StoredReply => ({
    ...{ reader: readerVersion - 1, form },
    body: deflateRawSync(JSON.stringify({ choices: [choice] })).toString('base64'),
  })
  const { ask, requests, answers, ledger } = world()
  const store = async (question: ModelQuestion, reply: StoredReply) => {
    const key = computeQuestionKey(question)
    const { status: _, ...answer } = done('misread') as Extract<ModelReply, { status: 'done' }>
    await answers.put(key, { ...answer, vendor: { message: { was: 1 } }, key, by: 'ev_0', reply })
    return key
  }
  const [chat, interrupted] = [about('chat'), about('interrupted')]
  const key = await store(chat, storedReply('chat', { message: { content: 'right' } }))
  for (const _ of [1, 2])
    expect(await ask(evaluation, 'a', chat, signal)).toMatchObject({
      kind: 'answered',
      answer: { text: 'right', kept: true, usage: { requests: 0 }, storeKey: `${key}~r${readerVersion}` },
    })
  const again = await ask(evaluation, 'a', chat, signal)
  expect(again).not.toHaveProperty('answer.vendor')
  // It was booked as it was read then.
  expect(again).toMatchObject({ answer: { reported: { promptTokens: 10 } } })
  expect((await answers.get(key))?.text).toBe('misread')
  await store(interrupted, storedReply('chat', { message: { content: 'half' }, finish_reason: 'error' }))
  for (const kept of [false, true])
    expect(await ask(kept ? { id: 'ev_2', by: 'ev_2' } : evaluation, 'b', interrupted, signal)).toMatchObject(
      {
        answer: { text: 'interrupted', kept },
      },
    )
  expect(requests).toEqual(['interrupted'])
  expect(await ledger.usageOf(evaluation)).toMatchObject({ requests: 1 })
  const { settings } = about('').model
  const model = { name: 'base', settings: { ...settings, api: 'completions' as const, prefix: 'const ' } }
  const completed = about('completed', { model })
  await store(completed, storedReply('completions', { text: 'a = 1' }))
  expect(await ask(evaluation, 'c', completed, signal)).toMatchObject({ answer: { text: 'const a = 1' } })
})
