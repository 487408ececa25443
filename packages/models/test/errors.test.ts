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

// https://openrouter.ai/docs/api/reference/errors-and-debugging#moderation-errors
test('what a moderation flags is that prompt’s, by its metadata alone', async () => {
  const metadata = { reasons: ['violence'], flagged_input: 'the…', provider_name: 'x', model_slug: 'y' }
  expect(await asked(errorOf(403, { code: 403, message: 'flagged', metadata }))).toMatchObject({
    status: 'refused',
    kind: 'moderation',
    retries: 0,
    reason: expect.stringContaining('flagged'),
  })
})

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

const upstream = JSON.stringify({ error: { message: 'no such voice', code: 'bad_voice' } })
test.each<[form: string, body: string, says: string, type?: string]>([
  ['OpenAI', '{"error":{"message":"top_k: unknown","type":"invalid_request_error"}}', 'top_k: unknown'],
  ['vLLM', '{"object":"error","message":"too hot","code":400}', 'too hot'],
  [
    'Google, a list',
    '[{"error":{"code":400,"message":"bad turn","status":"INVALID_ARGUMENT"}}]',
    'bad turn (INVALID_ARGUMENT)',
  ],
  ['FastAPI', '{"detail":"Not allowed"}', 'Not allowed'],
  [
    'FastAPI, a list',
    '{"detail":[{"loc":["body","n"],"msg":"must be 1","type":"value_error"}]}',
    'must be 1',
  ],
  ['Mistral', '{"object":"error","message":{"detail":[{"msg":"field required"}]}}', 'field required'],
  ['TGI', '{"error":"Model is warming","error_type":"overloaded"}', 'Model is warming (overloaded)'],
  [
    'Cohere',
    '{"message":"invalid request: all elements in history must have a message"}',
    'all elements in history',
  ],
  ['Cloudflare', '{"errors":[{"code":7003,"message":"Could not route"}],"success":false}', 'Could not route'],
  ['Anthropic', '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'Overloaded'],
  ['AWS', '{"__type":"ValidationException","message":"bad field"}', 'bad field (ValidationException)'],
  ['RFC 9457', '{"title":"Bad Request","status":400}', 'Bad Request'],
  ['Zhipu', '{"error":{"code":"1210","message":"wrong parameter"}}', 'wrong parameter'],
  ['a gateway', '{"code":"E7","msg":"no channel"}', 'no channel (E7)'],
  ['JSON within a text', JSON.stringify({ error: { message: upstream } }), 'no such voice (bad_voice)'],
  [
    'OpenRouter',
    JSON.stringify({ error: { code: 400, message: 'Provider returned error', metadata: { raw: upstream } } }),
    'Provider returned error: no such voice',
  ],
  [
    'a page',
    '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
    'a page: 502 Bad Gateway',
    'text/html',
  ],
  [
    'Envoy',
    'upstream connect error or disconnect/reset before headers',
    'upstream connect error',
    'text/plain',
  ],
])('the text of an error is told: %s', async (...[, body, says, type]) => {
  // Rest parameters: Jest would pass its callback as the type that a row leaves out.
  const reply = await asked({ status: 400, body, ...(type !== undefined && { type }) })
  expect(reply).toMatchObject({ reason: expect.stringContaining(says) })
})

// https://console.groq.com/docs/tool-use: what the model wrote stands in failed_generation.
test.each(['tool_use_failed', 'json_validate_failed'])(
  'what the model wrote and its endpoint could not read is its answer: %s, whole and streamed',
  async (code) => {
    for (const failed_generation of ['<function=f{"a":1}', undefined])
      for (const stream of [false, true]) {
        const error = { message: 'no call', type: 'invalid_request_error', code, failed_generation }
        const body = JSON.stringify({ error })
        const server = await serve(
          stream
            ? { garbage: `event: error\ndata: ${body}\n\n`, type: 'text/event-stream' }
            : { status: 400, body },
        )
        expect(await ask(server, { stream })).toMatchObject({
          ...{ status: 'done', finish: code, retries: 0, text: failed_generation ?? '' },
          usage: { requests: 1, estimated: 1 },
        })
      }
  },
)
