/** Embeddings over real HTTP, and what completions refuse. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { computeSimilarities, parseVector } from '../src/index.ts'
import { ask, hi, serve } from './asking.ts'

async function vectors(answer: unknown) {
  const bodies: { input?: string; encoding_format?: string; dimensions?: number }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      bodies.push({ ...(JSON.parse(body) as object) })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const reply = await ask({ baseUrl }, { api: 'embeddings', retries: 0, parameters: { dimensions: 3 } })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return { reply, bodies }
}

test('a text has a vector, which survives as text, and costs what the endpoint reports', async () => {
  const embedding = [0.1, -0.25, 3e-9]
  const { reply, bodies } = await vectors({ data: [{ embedding }], usage: { prompt_tokens: 4 } })
  expect(reply).toMatchObject({
    status: 'done',
    usage: { requests: 1, promptTokens: 4, completionTokens: 0 },
  })
  expect(parseVector((reply as { text: string }).text)).toEqual(embedding)
  expect(bodies).toEqual([{ input: 'hi', model: 'x', encoding_format: 'float', dimensions: 3 }])
})

test.each([{}, { data: [] }, { data: [{ embedding: [] }] }, { data: [{ embedding: ['1'] }] }])(
  '%j is no vector',
  async (answer) => {
    expect((await vectors(answer)).reply).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('without data[0].embedding'),
    })
  },
)

test('a vector in base64 is read as floats of 32 bits', async () => {
  const embedding = Buffer.from(Float32Array.of(0.5, -0.25, 3).buffer).toString('base64')
  const { reply } = await vectors({ data: [{ embedding }], usage: { prompt_tokens: 4 } })
  expect(parseVector((reply as { text: string }).text)).toEqual([0.5, -0.25, 3])
  for (const broken of ['AAA', '*AAA', 'AAAA', '']) {
    const { reply: other } = await vectors({ data: [{ embedding: broken }] })
    expect(other).toMatchObject({ status: 'failed', reason: expect.stringContaining('data[0].embedding') })
  }
})

test('a vector of zeros is an error', async () => {
  expect((await vectors({ data: [{ embedding: [0, 0] }] })).reply).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('a vector of zeros'),
  })
})

test('similarity is that of directions; vectors that have none are an error', () => {
  const [[same, opposite], [right]] = computeSimilarities(
    [
      [1, 0],
      [0, 2],
    ],
    [
      [5, 0],
      [-1, 0],
    ],
  ) as [[number, number], [number]]
  expect([same, opposite, right]).toEqual([1, -1, 0])
  expect(() => computeSimilarities([[1, 0]], [[0, 0]])).toThrow('a vector consists of zeros')
  expect(() => computeSimilarities([[1, 0]], [[1, 0, 0]])).toThrow('different lengths: 2, 3 numbers')
  expect(parseVector('no vector')).toBeNull()
  expect(parseVector('["1"]')).toBeNull()
})

test('completions have no tools, no roles and no schemas, and say so without a request', async () => {
  const server = await serve({ say: 'never' })
  const assistantMessage = { role: 'assistant', content: 'a' } as const
  for (const [request, lacks] of [
    [{ messages: hi, tools: [{ name: 'add' }] }, 'no tools;'],
    [{ messages: [...hi, assistantMessage, ...hi] }, 'no roles;'],
    [{ messages: hi, schema: { type: 'object' } }, 'no schemas;'],
  ] as const)
    expect(
      await ask(server, { api: 'completions' }, { request: { ...request, messages: [...request.messages] } }),
    ).toMatchObject({ status: 'refused', kind: 'request', reason: expect.stringContaining(lacks) })
  expect(server.requests).toHaveLength(0)
})
