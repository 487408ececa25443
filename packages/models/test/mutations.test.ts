/** Random mutations of the corpus: each is an answer or a fault with a reason, in parts of any size. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { UnusableResponse } from '../src/classify.ts'
import { readError } from '../src/error-body.ts'
import { readAnswer } from '../src/wire/reply.ts'
import { hi } from './asking.ts'
import { replies, streamedBody, wholeBody } from './corpus.ts'

/** Whole and streamed alike; errors, too. */
const bodies = replies
  .flatMap(([, reply]) => [wholeBody(reply), streamedBody(reply)])
  .flatMap((one) => one ?? [])

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
const put = fc.oneof(scraps, fc.string({ maxLength: 5 }))
const mutation = fc.record({ at: fc.nat(2000), length: fc.nat(30), put })

function cutIntoParts(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    Uint8Array.from(bytes.subarray(at * size, (at + 1) * size)),
  )
  return ReadableStream.from(parts)
}

async function read(text: string, size: number): Promise<unknown> {
  const response = new Response(cutIntoParts(text, size))
  const reading = { request: { messages: hi }, hide: (one: string) => one, spend: () => undefined }
  return readAnswer(response, 'chat', reading).catch((error: unknown) => {
    if (error instanceof UnusableResponse || error instanceof SyntaxError) return String(error)
    throw error
  })
}

test('no mutation of a reply is an error of ours, and the size of its parts changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...bodies),
      fc.array(mutation, { maxLength: 4 }),
      // What follows the end of a stream.
      fc.option(put, { nil: '' }),
      fc.integer({ min: 1, max: 50 }),
      async (reply, mutations, tail, size) => {
        const mutated = mutations.reduce((now, { at, length, put }) => {
          const from = at % (now.length + 1)
          return `${now.slice(0, from)}${put}${now.slice(from + length)}`
        }, reply)
        const text = `${mutated}${tail}`
        const reading = await read(text, size)
        expect(reading).toEqual(await read(text, 1_000_000))
        // What is kept grows no faster than the reply.
        expect(JSON.stringify(reading).length).toBeLessThanOrEqual(6 * text.length + 2000)
      },
    ),
    { numRuns: process.env.STATEEVAL_LONG === '1' ? 10_000 : 200 },
  )
})

test('an error is read alike in parts of any size, however long it is', async () => {
  const errors = replies.flatMap(([, reply]) => (reply.status === undefined ? [] : (wholeBody(reply) ?? [])))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...errors, '<html><title>Bad gateway</title></html>'),
      fc.nat(2000),
      // The beginning that is read has 65,536 characters.
      fc.constantFrom(0, 65_000, 65_536, 70_000),
      fc.constantFrom(' ', 'é', '"'),
      fc.integer({ min: 1000, max: 50_000 }),
      async (reply, place, length, sign, size) => {
        const at = place % (reply.length + 1)
        const text = `${reply.slice(0, at)}${sign.repeat(length)}${reply.slice(at)}`
        const readIn = (part: number) => readError(cutIntoParts(text, part), (one) => one)
        expect(await readIn(size)).toEqual(await readIn(1_000_000))
      },
    ),
    { numRuns: process.env.STATEEVAL_LONG === '1' ? 2000 : 100 },
  )
})
