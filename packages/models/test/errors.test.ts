/** What errors of endpoints say, and what they end: a question, or everything. Each row names its source. */
import { expect, test } from '@jest/globals'
import type { Script } from '../../testkit/src/scripted-model.ts'
import { contextWordings } from '../src/context-words.ts'
import { errorCodes } from '../src/error-codes.ts'
import { retryAfter } from '../src/index.ts'
import { ask, clientWith, hi, serve, serveBy } from './asking.ts'

const asked = async (script: Script, settings = {}) => ask(await serve(script), settings)
const errorOf = (status: number, error: object): Script => ({ status, body: JSON.stringify({ error }) })

test.each<[wording: string, status: number]>([
  ['You exceeded your current quota, please check your plan and billing details. Please retry in 2s.', 429],
  ['Rate limit reached for requests per minute; see your plan. Try again in 2s.', 429],
  ['Your credit balance is too low to access the API.', 429],
  ['The model `x` does not exist or you do not have access to it.', 400],
  ['unauthorized: invalid api key', 500],
])('no words end an evaluation: %s', async (message, status) => {
  const reply = await asked({ status, message }, { retries: 1 })
  expect(reply).toMatchObject(
    status === 400
      ? { status: 'refused', kind: 'request', reason: expect.stringContaining(message) }
      : { status: 'failed', reason: expect.stringContaining(message) },
  )
})

test.each(errorCodes.map(({ code, means, source }) => [code, means, source] as const))(
  'the code %s means %s, whatever the words, as code and as type (%s)',
  async (code, means) => {
    const usual = { quota: 429, key: 403, model: 400, context: 400, moderation: 403, busy: 429 }
    for (const error of [
      { code },
      { type: code },
      { metadata: { raw: JSON.stringify({ error: { code } }) } },
    ]) {
      const script = errorOf(usual[means], { message: 'no', ...error })
      const reply = await asked(script, { retries: 1, keyEnv: 'STATEEVAL_KEY_T' })
      if (means === 'busy') expect(reply).toMatchObject({ status: 'failed', retries: 1 })
      else expect(reply).toMatchObject({ status: 'refused', kind: means, retries: 0 })
    }
  },
)

test('a 403 that nothing explains is tried again; it is the key’s if it stays and nobody is answered', async () => {
  expect(await asked({ status: 403 }, { keyEnv: 'STATEEVAL_KEY_T' })).toMatchObject({
    status: 'refused',
    kind: 'key',
    retries: 2,
    reason: expect.stringContaining('set a valid one'),
  })
  expect(await ask(await serve({ status: 403 }, { say: 'x' }))).toMatchObject({ status: 'done', retries: 1 })
})

test('a 403 for one prompt is that prompt’s where others are answered', async () => {
  const server = await serveBy(({ messages }) =>
    messages[0]?.content === 'bad' ? { status: 403, body: '<html>', type: 'text/html' } : { say: 'x' },
  )
  const client = clientWith()
  const send = (content: string) =>
    client.ask(
      { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x' } },
      { messages: [{ role: 'user', content }] },
      new AbortController().signal,
    )
  expect(await send('good')).toMatchObject({ status: 'done' })
  expect(await send('bad')).toMatchObject({ status: 'refused', kind: 'request', retries: 2 })
})

test('a limit that outlasts a minute, while nothing is answered, ends everything; a shorter one does not', async () => {
  const limited = await serve({ status: 429 })
  const settings = { baseUrl: limited.baseUrl, model: 'x' }
  const endOf = async (options: object, retries: number) =>
    clientWith([], { backoffMs: 500, random: () => 0, retries, ...options }).ask(
      { name: 'm', settings },
      { messages: hi },
      new AbortController().signal,
    )
  expect(await endOf({}, 5)).toMatchObject({ status: 'failed' })
  expect(await endOf({}, 6)).toMatchObject({ status: 'refused', kind: 'quota', retries: 6 })
})

test.each([
  ['7', 7000],
  ['0.5', 500],
  ['34s', 34_000],
  // GitHub's and OpenRouter's X-RateLimit-Reset, which some gateways send as Retry-After.
  ['1767225607', 7000],
  ['1767225607000', 7000],
  ['Thu, 01 Jan 2026 00:00:03 GMT', 3000],
  ['-5', null],
  ['soon', null],
])('Retry-After %s', (text, ms) => {
  expect(retryAfter({ ms: null, text }, Date.UTC(2026, 0, 1))).toBe(ms)
})

// https://ai.google.dev/gemini-api/docs/rate-limits: RetryInfo in the details of RESOURCE_EXHAUSTED.
test('a pause that only the body names is kept', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }]
  const error = { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED', details }
  const server = await serve({ status: 429, body: JSON.stringify([{ error }]) }, { say: 'x' })
  const pauses: number[] = []
  const client = clientWith(pauses, { clock: () => pauses.reduce((sum, ms) => sum + ms, 0) })
  const reply = await client.ask(
    { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x' } },
    { messages: hi },
    new AbortController().signal,
  )
  expect(reply).toMatchObject({ status: 'done' })
  expect(pauses).toContain(34_000)
})

test.each(contextWordings.map(({ said, by, source }) => [said, by, source] as const))(
  '"%s" is a prompt beyond the context (%s, %s)',
  async (message) => {
    for (const status of [400, 422, 500]) {
      const reply = await asked({ status, message })
      expect(reply).toMatchObject({ status: 'refused', kind: 'context', retries: 0 })
    }
    for (const stream of [false, true]) {
      const garbage = JSON.stringify({ error: { message } })
      const whole = stream ? { garbage: `data: ${garbage}\n\n`, type: 'text/event-stream' } : { garbage }
      expect(await asked(whole, { stream })).toMatchObject({ status: 'refused', kind: 'context' })
    }
  },
)
test.each([
  'ThrottlingException: Too many tokens, please wait before trying again.',
  'max_tokens is too large: 200000. This model supports at most 4096 completion tokens.',
  'context: must be a string',
])('%s is no prompt beyond the context', async (message) => {
  expect(await asked({ status: 400, message })).toMatchObject({ kind: 'request' })
})
