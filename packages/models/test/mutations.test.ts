/** Random mutations of replies: each is an answer or a fault with a reason, in parts of any size. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Unusable } from '../src/classify.ts'
import { readAnswer } from '../src/wire/reply.ts'
import { hi } from './asking.ts'

const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":[1]}' } }
const message = {
  role: 'assistant',
  content: 'RESULT',
  tool_calls: [call],
  reasoning_details: [{ index: 0, text: 'a' }],
}
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 9 }
const whole = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const streamed = `${event({ choices: [{ delta: message }] })}${event({ choices: [{ delta: { tool_calls: [call] }, finish_reason: 'stop' }], usage })}data: [DONE]\n\n`

const scraps = fc.constantFrom(
  'null',
  '{}',
  '[]',
  '"',
  ',',
  '\n\n',
  '\r',
  '1e999',
  '-1',
  '"__proto__":{}',
  'data: ',
  '\u2028',
  '[[[[',
)
const mutation = fc.record({
  at: fc.nat(400),
  length: fc.nat(30),
  put: fc.oneof(scraps, fc.string({ maxLength: 5 })),
})

async function read(text: string, size: number): Promise<unknown> {
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    Uint8Array.from(bytes.subarray(at * size, (at + 1) * size)),
  )
  const response = new Response(ReadableStream.from(parts))
  const reading = { request: { messages: hi }, hide: (one: string) => one, spend: () => undefined }
  return readAnswer(response, 'chat', reading).catch((error: unknown) => {
    if (error instanceof Unusable || error instanceof SyntaxError) return String(error)
    throw error
  })
}

test('no mutation of a reply is an error of ours, and the size of its parts changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(whole, streamed),
      fc.array(mutation, { maxLength: 4 }),
      fc.integer({ min: 1, max: 50 }),
      async (reply, mutations, size) => {
        const text = mutations.reduce(
          (now, { at, length, put }) => `${now.slice(0, at)}${put}${now.slice(at + length)}`,
          reply,
        )
        expect(await read(text, size)).toEqual(await read(text, 1_000_000))
      },
    ),
    { numRuns: process.env.STATEEVAL_LONG === '1' ? 10_000 : 200 },
  )
})
