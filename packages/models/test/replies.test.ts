/**
 * Replies in every manner of servers: read alike, whether they come whole or streamed, and given back as
 * their vendors demand. Each row names its source.
 */
import { expect, test } from '@jest/globals'
import type { Message } from '@stateeval/contracts'
import fc from 'fast-check'
import { finishTable } from '../src/wire/finish.ts'
import { ReplyCollector } from '../src/wire/reply.ts'
import { buildAnswer } from '../src/wire/answer.ts'
import { toJsonArguments } from '../src/wire/message.ts'
import { ask, hi, serve } from './asking.ts'

const events = (chunks: readonly unknown[], end = 'data: [DONE]\n\n') =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') + end
const streamed = (...chunks: object[]) => ({ garbage: events(chunks), type: 'text/event-stream' })
const whole = (message: object, finish: unknown = 'stop', more: object = {}) => ({
  garbage: JSON.stringify({ choices: [{ index: 0, message, finish_reason: finish }], ...more }),
})
const delta = (part: object, finish: unknown = null) => ({
  choices: [{ index: 0, delta: part, finish_reason: finish }],
})
const read = async (script: Awaited<ReturnType<typeof whole>> & { type?: string }, settings = {}) =>
  ask(await serve(script), settings)

test.each(finishTable.map(({ word, means, source }) => [word, means, source] as const))(
  'the finish reason %s means %s, whole and streamed, in any case (%s)',
  async (word, means) => {
    for (const finish of [word, word.toUpperCase(), `${word}: MORE`])
      for (const script of [
        whole({ content: 'half a' }, finish),
        streamed(delta({ content: 'half a' }), delta({}, finish)),
      ]) {
        const request = { messages: hi, isScored: true } as const
        const reply = await ask(await serve(script), { stream: 'type' in script, retries: 1 }, { request })
        if (means === 'interrupted')
          expect(reply).toMatchObject({
            status: 'failed',
            retries: 1,
            reason: expect.stringContaining('interrupted'),
          })
        else
          expect(reply).toMatchObject({
            status: 'done',
            text: 'half a',
            finish: means === 'length' ? 'length' : means === 'filtered' ? 'content_filter' : finish,
          })
      }
  },
)

const call = (id: string | undefined, name: string, args: unknown, more: object = {}) => ({
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name, arguments: args },
  ...more,
})
const two = [
  { name: 'f', arguments: '{"a":1}' },
  { name: 'g', arguments: '{"b":[2]}' },
]
test.each<[manner: string, calls: unknown]>([
  ['usual', [call('c1', 'f', '{"a":1}'), call('c2', 'g', '{"b":[2]}')]],
  [
    'type absent',
    [
      { id: 'c1', function: two[0] },
      { id: 'c2', function: two[1] },
    ],
  ],
  ['ids absent', [call(undefined, 'f', '{"a":1}'), call(undefined, 'g', '{"b":[2]}')]],
  ['ids repeated', [call('c', 'f', '{"a":1}'), call('c', 'g', '{"b":[2]}')]],
  ['arguments as objects', [call('c1', 'f', { a: 1 }), call('c2', 'g', { b: [2] })]],
  [
    'no function wrapper',
    [
      { id: 'c1', ...two[0] },
      { id: 'c2', ...two[1] },
    ],
  ],
  [
    'parameters',
    [
      { name: 'f', parameters: { a: 1 } },
      { name: 'g', parameters: { b: [2] } },
    ],
  ],
  [
    'function as a name',
    [
      { function: 'f', arguments: '{"a":1}' },
      { function: 'g', arguments: '{"b":[2]}' },
    ],
  ],
])('calls with %s are read alike, whole and streamed', async (_, calls) => {
  const list = calls as object[]
  const scripts = [
    whole({ content: null, tool_calls: list }, 'tool_calls'),
    streamed(delta({ tool_calls: list.map((one, index) => ({ ...one, index })) }), delta({}, 'tool_calls')),
    streamed(
      ...list.map((one, index) => delta({ tool_calls: [{ ...one, index }] })),
      delta({}, 'tool_calls'),
    ),
    streamed(delta({ tool_calls: list }), delta({}, 'tool_calls')),
    // https://github.com/su-kaka/gcli2api/pull/406
    streamed(...list.map((one) => delta({ tool_calls: [{ ...one, index: 0 }] })), delta({}, 'stop')),
    // https://github.com/noho/dayu-agent/issues/82
    streamed(...list.map((one) => delta({ tool_calls: [one] })), delta({}, 'stop')),
  ]
  for (const script of scripts) {
    const reply = await read(script, { stream: 'type' in script })
    expect(reply).toMatchObject({ status: 'done', toolCalls: two })
    const ids = 'toolCalls' in reply ? (reply.toolCalls ?? []).map(({ id }) => id) : []
    expect([new Set(ids).size, ids.includes('')]).toEqual([2, false])
  }
})

test('complete answers under a wrong label, or without a finish reason, are read', async () => {
  const body = whole({ content: 'RESULT' })
  for (const type of ['text/plain', 'text/event-stream', 'application/octet-stream'])
    for (const stream of [false, true])
      expect(await read({ ...body, type }, { stream })).toMatchObject({ status: 'done', text: 'RESULT' })
  const open = streamed(delta({ content: 'RES' }), delta({ content: 'ULT' }))
  for (const type of ['text/event-stream', 'application/json', 'text/plain'])
    for (const stream of [false, true])
      expect(await read({ ...open, type }, { stream })).toMatchObject({ text: 'RESULT', finish: 'stop' })
  const broken = { garbage: events([delta({ content: 'RES' })], ''), type: 'text/event-stream' }
  expect(await read(broken, { stream: true })).toMatchObject({ status: 'failed' })
})

test('a reply is read alike, whole and in any pieces', () => {
  const callOf = fc.record({
    id: fc.option(fc.string({ minLength: 1, maxLength: 4 }), { nil: undefined }),
    name: fc.string({ minLength: 1, maxLength: 6 }),
    arguments: fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  })
  const ids = fc.uniqueArray(callOf, { maxLength: 4, selector: ({ id }) => id ?? {} })
  const cut = (text: string, size: number) => {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))
    return pieces ?? ['']
  }
  fc.assert(
    fc.property(
      fc.string(),
      ids,
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      fc.boolean(),
      (text, calls, size, repeatsName, isIndexed) => {
        const listed = calls.map(({ id, name, arguments: args }) => call(id, name, JSON.stringify(args)))
        const message = { content: text, tool_calls: listed, reasoning_content: 'thought' }
        const whole = new ReplyCollector('chat')
        whole.add({ choices: [{ message, finish_reason: 'stop' }] })
        const stream = new ReplyCollector('chat')
        for (const piece of cut(text, size)) stream.add(delta({ content: piece }))
        for (const piece of cut('thought', size)) stream.add(delta({ reasoning_content: piece }))
        for (const [at, { id, name, arguments: args }] of calls.entries())
          for (const [part, piece] of cut(JSON.stringify(args), size).entries()) {
            const isNamed = part === 0 || (repeatsName && (id !== undefined || isIndexed))
            const index = isIndexed ? { index: at } : {}
            const entry = call(part === 0 ? id : undefined, name, piece)
            const fn = isNamed ? entry.function : { arguments: piece }
            stream.add(delta({ tool_calls: [{ ...index, ...entry, function: fn }] }))
          }
        stream.add(delta({}, 'stop'))
        const request = { messages: hi, isScored: true, isLastTry: true } as const
        const same = (one: string) => one
        expect(buildAnswer(stream.raw(true, false), request, same)).toEqual(
          buildAnswer(whole.raw(true, false), request, same),
        )
      },
    ),
    { numRuns: process.env.STATEEVAL_LONG === '1' ? 5000 : 200 },
  )
})

const answered = { role: 'tool', content: '3', toolCallId: 'c1' } as const
/** A conversation with the reply of an endpoint in it: what it receives back. */
async function givenBack(message: object) {
  const server = await serve(whole(message, 'tool_calls'), { say: 'done' })
  const reply = await ask(server)
  if (reply.status !== 'done') throw new Error(reply.reason)
  const { text, toolCalls, vendor } = reply
  const own: Message = {
    role: 'assistant',
    content: text,
    ...(toolCalls && { toolCalls }),
    ...(vendor && { vendor }),
  }
  await ask(server, {}, { request: { messages: [...hi, own, answered] } })
  return server.requests[1]?.messages[1]
}

test.each<[vendor: string, message: object]>([
  // https://api-docs.deepseek.com/guides/thinking_mode#tool-calls
  ['DeepSeek', { content: null, reasoning_content: 'I add', tool_calls: [call('c1', 'add', '{}')] }],
  // https://ai.google.dev/gemini-api/docs/thought-signatures
  [
    'Google',
    {
      content: null,
      tool_calls: [call('c1', 'add', '{}', { extra_content: { google: { thought_signature: 'Eo' } } })],
    },
  ],
  // https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
  [
    'OpenRouter',
    {
      content: 'so',
      reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: 's', index: 0 }],
      tool_calls: [call('c1', 'add', '{}')],
    },
  ],
  // https://docs.litellm.ai/docs/reasoning_content
  [
    'LiteLLM',
    {
      content: null,
      thinking_blocks: [{ type: 'thinking', thinking: 'a', signature: 's' }],
      tool_calls: [call('c1', 'add', '{}', { provider_specific_fields: { thought_signature: 'x' } })],
    },
  ],
  // https://docs.mistral.ai/capabilities/reasoning/
  [
    'Mistral',
    {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'a' }] },
        { type: 'text', text: 'so' },
      ],
      tool_calls: [call('c1', 'add', '{}')],
    },
  ],
])('what %s demands back goes back', async (_, message) => {
  expect(await givenBack(message)).toEqual({ role: 'assistant', ...message })
})

test('thoughts as text do not go back without calls', async () => {
  expect(await givenBack({ content: 'so', reasoning_content: 'I add' })).toEqual({
    role: 'assistant',
    content: 'so',
  })
})

test.each(['{"a":', '[1]', '5', 'x', '"{}"'])(
  'arguments %s go back as valid JSON; the answer keeps them',
  async (args) => {
    const message = { content: null, tool_calls: [call('c1', 'add', args)] }
    expect(await givenBack(message)).toMatchObject({
      tool_calls: [{ function: { arguments: JSON.stringify({ invalid_arguments: args }) } }],
    })
    expect(await read(whole(message))).toMatchObject({ toolCalls: [{ arguments: args }] })
    expect([toJsonArguments(''), toJsonArguments(' {"a": 1}')]).toEqual(['{}', ' {"a": 1}'])
  },
)

const paid = { prompt_tokens: 10, completion_tokens: 5 }
const unpaid = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
test.each<[what: string, script: ReturnType<typeof whole>, tokens: number[]]>([
  ['an interrupted one', whole({ content: 'half' }, 'error', { usage: paid }), [5, 5, 5]],
  // https://ai.google.dev/api/generate-content#PromptFeedback: a blocked prompt has usage and no choice.
  ['one without a choice', { garbage: JSON.stringify({ choices: [], usage: paid }) }, [5, 5, 5]],
  ['an error', { garbage: JSON.stringify({ error: { message: 'no' }, usage: paid }) }, [5, 5, 5]],
  ['an error that cost nothing', { garbage: JSON.stringify({ error: 'no', usage: unpaid }) }, []],
])('of replies that are of no use, what is paid for is told: %s', async (_, script, tokens) => {
  const server = await serve(script)
  const told: number[] = []
  const spent = async ({ completionTokens }: { completionTokens: number }) => void told.push(completionTokens)
  const reply = await ask(server, {}, { request: { messages: hi, spent } })
  expect([reply.status, told]).toEqual(['failed', tokens])
})
