/** Bodies that never end, or grow when they are decompressed: the answer ends, and nothing waits for it. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, expect, test } from '@jest/globals'
import type { ModelSettings } from '@stateeval/contracts'
import { longestTurn } from '@stateeval/testkit/each-time'
import { patience } from '@stateeval/testkit/patience'
import { limitResponse } from '../src/answer-body.ts'
import { ask } from './asking.ts'

const listening: Server[] = []
afterEach(async () => {
  for (const server of listening.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
async function serveBy(handle: RequestListener): Promise<{ baseUrl: string }> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  listening.push(server)
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}
/** A stream that begins, and repeats a text until it is closed. */
const endless = (text: string, begin = '') =>
  serveBy((_, response) => {
    const block = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(begin)
    const more = () => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })

async function failureOf(server: { baseUrl: string }, settings: Partial<ModelSettings>): Promise<string> {
  const reply = await ask(server, { retries: 0, ...settings })
  if (reply.status !== 'failed') throw new Error(JSON.stringify(reply).slice(0, 500))
  return reply.reason
}

const deltaOf = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const late = 'no answer within 1000 ms'
const idle = 'too many lines without data'
test.each<[string, string, string]>([
  ['empty lines', '\n\n', idle],
  ['empty lines of another kind', '\r\n\r\n', idle],
  ['comments', ': x\n\n', idle],
  ['fields without data', 'id: 1\n\n', idle],
  ['lines of no form', 'x\n', 'an event of more than 10000 lines'],
  ['an event that never ends', 'data: 1\n', 'an event of more than 10000 lines'],
  ['a line that never ends', 'data 1', 'is larger than 16 MiB'],
  ['events without an answer', 'data: {}\n\n', late],
  ['an event of many values', '[{"a":1},', 'more than 500000 values'],
])('a stream of %s ends, and blocks nothing', async (_, text, says) => {
  // Loads what a first request loads.
  await ask(await endless('data: ?\n\n'), { stream: true, retries: 0 })
  const begin = text.startsWith('[') ? 'data: ' : deltaOf('hi')
  const timeoutMs = says === late ? 1000 : patience(60_000)
  const read = async () =>
    expect(await failureOf(await endless(text, begin), { stream: true, timeoutMs })).toContain(says)
  expect(await longestTurn(read, 300)).toBeLessThanOrEqual(300)
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('an answer that %s made small is left after 16 MiB', async (encoding, compress) => {
  const body = compress(`{${' '.repeat(64 * 2 ** 20)}}`)
  expect(body.length).toBeLessThan(2 ** 17)
  const server = await serveBy(
    (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
        .end(body),
  )
  expect(await failureOf(server, {})).toContain('the endpoint’s answer is larger than 16 MiB')
})

test('a stream of short events is left after 256 MiB', async () => {
  const event = Buffer.from(`data: "${'x'.repeat(2 ** 20)}"\n\n`)
  const events = ReadableStream.from(Array.from({ length: 300 }, () => event))
  const read = async () => {
    for await (const _ of limitResponse(new Response(events)).body!);
  }
  await expect(read()).rejects.toThrow('the endpoint’s answer is larger than 256 MiB')
})
