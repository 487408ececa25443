/** Answers that no model should give: calls without number, end or form. What there is room for is kept. */
import { expect, test } from '@jest/globals'
import { ask, secret, serve } from './asking.ts'

const completion = (message: object) =>
  JSON.stringify({
    choices: [{ message: { role: 'assistant', content: null, ...message }, finish_reason: 'tool_calls' }],
  })
const longCall = { id: 'c', type: 'function', function: { name: 'f', arguments: 'x'.repeat(1_500_000) } }
test.each<[string, unknown, [calls: number, lastArguments: number | string, finish: string]]>([
  [
    '1,001 calls',
    Array.from({ length: 1001 }, () => ({ ...longCall, function: { name: 'f', arguments: '{}' } })),
    [1000, '{}', 'length'],
  ],
  ['two calls of 1,500,000 characters', [longCall, longCall, longCall], [2, 499_996, 'length']],
  [
    'a name of 3,000,000 characters',
    [{ ...longCall, function: { name: 'n'.repeat(3e6), arguments: '{}' } }],
    [1, '{}', 'length'],
  ],
  [
    'arguments that are an object',
    [{ ...longCall, function: { name: 'f', arguments: { a: 1 } } }],
    [1, '{"a":1}', 'tool_calls'],
  ],
  ['nothing but its type beside another', [null, { type: 'function' }, { name: 'f' }], [1, '', 'tool_calls']],
])('a message with %s is kept as far as there is room', async (_, calls, [count, last, finish]) => {
  const reply = await ask(
    await serve({ garbage: completion({ tool_calls: calls }), type: 'application/json' }),
  )
  if (reply.status !== 'done') throw new Error(JSON.stringify(reply).slice(0, 500))
  const { toolCalls = [] } = reply
  expect([toolCalls.length, reply.finish]).toEqual([count, finish])
  const { arguments: text } = toolCalls.at(-1)!
  expect(typeof last === 'number' ? text.length : text).toBe(last)
})

test('a stream whose calls stand at absurd places, or never end, is read in bounded time and memory', async () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const call = (index: unknown, text: string) =>
    chunk({ tool_calls: [{ index, function: { name: 'f', arguments: text } }] })
  const answered = async (garbage: string) =>
    ask(await serve({ garbage, type: 'text/event-stream' }), { stream: true })
  expect(await answered(call(4e9, 'last') + call(-1, 'first') + chunk({}, 'tool_calls'))).toMatchObject({
    status: 'done',
    toolCalls: [{ arguments: 'first' }, { arguments: 'last' }],
  })
  const endless = await answered(Array.from({ length: 30 }, () => call(0, 'x'.repeat(100_000))).join(''))
  expect(endless).toMatchObject({ status: 'done', finish: 'length' })
})

test('calls count as tokens where nobody counted them', async () => {
  const calls = [{ ...longCall, function: { name: 'f', arguments: 'x'.repeat(4000) } }]
  const reply = await ask(
    await serve({ garbage: completion({ tool_calls: calls }), type: 'application/json' }),
  )
  expect(reply).toMatchObject({ usage: { completionTokens: expect.any(Number) } })
  expect((reply as { usage: { completionTokens: number } }).usage.completionTokens).toBeGreaterThan(1000)
})

test.each(['1e308', '1000000001', '-1', '"7"', '[7]', 'null', '{}', 'true'])(
  'a count of %s tokens is not taken',
  async (tokens) => {
    const usage = `"usage":{"prompt_tokens":${tokens},"completion_tokens":${tokens}}`
    const choices = '"choices":[{"message":{"content":"twelve chars"},"finish_reason":"stop"}]'
    const counted = { usage: { requests: 1, promptTokens: 1, completionTokens: 3 } }
    expect(await ask(await serve({ garbage: `{${choices},${usage}}` }))).toMatchObject(counted)
    const chunk = '{"choices":[{"delta":{"content":"twelve chars"},"finish_reason":"stop"}]}'
    const garbage = `data: ${chunk}\n\ndata: {${usage}}\n\n`
    const streamed = await ask(await serve({ garbage, type: 'text/event-stream' }), { stream: true })
    expect(streamed).toMatchObject(counted)
    const vector = `{"data":[{"embedding":[1]}],${usage}}`
    const embedded = await ask(await serve({ garbage: vector }), { api: 'embeddings' })
    expect(embedded).toMatchObject({ usage: { promptTokens: 1 } })
  },
)

const events = (...chunks: object[]) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
test('the key is hidden wherever an endpoint repeats it, even where the answer is cut', async () => {
  const call = (args: unknown) => ({
    index: 0,
    type: 'function',
    id: `id ${secret}`,
    function: { name: `name ${secret}`, arguments: args },
  })
  const texts = (args: unknown) => ({ content: `text ${secret}`, tool_calls: [call(args)] })
  const keyed = { keyEnv: 'STATEEVAL_KEY_T' }
  const whole = (message: object, finish = `finish ${secret}`) =>
    JSON.stringify({ id: secret, model: secret, choices: [{ message, finish_reason: finish }] })
  const hidden = {
    text: 'text [key]',
    toolCalls: [{ id: 'id [key]', name: 'name [key]', arguments: '{"[key]":"[key]"}' }],
    finish: 'finish [key]',
  }
  const args = { [secret]: secret }
  expect(await ask(await serve({ garbage: whole(texts(args)) }), keyed)).toMatchObject(hidden)
  const delta = { delta: texts(JSON.stringify(args)), finish_reason: `finish ${secret}` }
  const garbage = events({ choices: [delta] })
  const streamed = await serve({ garbage, type: 'text/event-stream' })
  expect(await ask(streamed, { ...keyed, stream: true })).toMatchObject(hidden)
  const raw = JSON.stringify({ choices: [{ text: secret, finish_reason: secret }] })
  expect(await ask(await serve({ garbage: raw }), { ...keyed, api: 'completions' })).toMatchObject({
    text: '[key]',
    finish: '[key]',
  })
  const cut = await ask(
    await serve({ garbage: whole({ content: `${'x'.repeat(1_999_995)}${secret}` }) }),
    keyed,
  )
  expect(cut).toMatchObject({ text: expect.stringMatching(/x\[key\]$/) })
  const failures = [
    { garbage: `{"error":{"message":"no","code":"${secret}"}}` },
    { status: 400, code: secret },
  ]
  for (const failure of failures) {
    const reply = await ask(await serve(failure), keyed)
    expect(reply).toMatchObject({ reason: expect.stringContaining('([key])') })
    expect(JSON.stringify(reply)).not.toContain(secret)
  }
})

/** What is kept of a message, sent whole or as a stream of one event. */
async function keptOf(message: object, finish: unknown, stream = false) {
  const choice = { [stream ? 'delta' : 'message']: message, finish_reason: finish }
  const garbage = stream ? events({ choices: [choice] }) : JSON.stringify({ choices: [choice] })
  const server = await serve({ garbage, type: stream ? 'text/event-stream' : 'application/json' })
  const reply = await ask(server, { stream })
  if (reply.status !== 'done') throw new Error(JSON.stringify(reply).slice(0, 500))
  return reply
}

test.each([false, true])('an answer of long parts can be stored (stream: %s)', async (stream) => {
  expect((await keptOf({ content: 'hi' }, 'f'.repeat(1e7), stream)).finish).toBe('f'.repeat(64))
  // Each of these characters takes six bytes in JSON.
  const long = '\u0001'.repeat(300_000)
  const call = { index: 0, type: 'function', id: long, function: { name: long, arguments: long } }
  const reply = await keptOf({ content: long.repeat(6), tool_calls: [call] }, 'tool_calls', stream)
  const [kept] = reply.toolCalls ?? []
  const lengths = [reply.text, kept?.id, kept?.name, kept?.arguments].map((text) => text?.length)
  expect([lengths, reply.finish]).toEqual([[1_800_000, 65_536, 1000, 133_464], 'length'])
  // MongoDB takes documents of 16 MiB.
  expect(JSON.stringify(reply).length).toBeLessThan(12.1e6)
  const full = await keptOf({ content: 'x'.repeat(2e6), tool_calls: [call] }, 'stop', stream)
  expect([full.text.length, full.toolCalls, full.finish]).toEqual([2_000_000, undefined, 'length'])
})

test.each([{ a: 1 }, 5, true, [], ['stop'], null, undefined])(
  'a finish reason %j is as good as none',
  async (finish) => {
    expect(await keptOf({ content: 'hi' }, finish)).toMatchObject({ text: 'hi', finish: 'stop' })
    const raw = JSON.stringify({ choices: [{ text: 'hi', finish_reason: finish }] })
    expect(await ask(await serve({ garbage: raw }), { api: 'completions' })).toMatchObject({ finish: 'stop' })
    for (const api of ['chat', 'completions'] as const) {
      const choice = { delta: { content: 'hi' }, text: 'hi', finish_reason: finish }
      const open = await serve({ garbage: events({ choices: [choice] }), type: 'text/event-stream' })
      expect(await ask(open, { api, stream: true })).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('the stream ended before the answer was complete'),
      })
      const garbage = events({ choices: [{ ...choice, finish_reason: 'length' }] }, { choices: [choice] })
      const ended = await serve({ garbage, type: 'text/event-stream' })
      expect(await ask(ended, { api, stream: true })).toMatchObject({ text: 'hihi', finish: 'length' })
    }
  },
)

test.each([false, true])(
  'parts of calls that are no texts are JSON, or empty (stream: %s)',
  async (stream) => {
    const call = (index: number, part: unknown) => ({
      index,
      type: 'function',
      id: part,
      function: { name: part, arguments: part },
    })
    const calls = [{ a: 1 }, 5, [], null].map((part, index) => call(index, part))
    const { toolCalls } = await keptOf({ content: null, tool_calls: calls }, 'tool_calls', stream)
    expect(toolCalls).toEqual(
      ['{"a":1}', '5', '[]'].map((text) => ({ id: text, name: text, arguments: text })),
    )
  },
)
