/**
 * An embeddings model from a folder: a tiny one that is made here, and a real small one in the long tests.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { loadEmbedder } from '../src/embedder.ts'
import { readModelFolder } from '../src/folder.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../src/server.ts'
import { obtainEmbeddingsModel } from './obtain.ts'

let scratch = ''
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-embeddings-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

async function folderOf(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(scratch, name)
  await mkdir(join(folder, '1_Pooling'), { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  return folder
}

test('what a folder lacks is named', async () => {
  const noModel = await folderOf('a', {})
  expect(() => readModelFolder(noModel)).toThrow('has no model.onnx and no onnx/model.onnx')
  const noTokenizer = await folderOf('b', { 'model.onnx': '' })
  expect(() => readModelFolder(noTokenizer)).toThrow('has no tokenizer.json')
  const torn = await folderOf('c', { 'model.onnx': '', 'tokenizer.json': '{' })
  expect(() => readModelFolder(torn)).toThrow('tokenizer.json cannot be read')
})

test('pooling and length come from the files beside the weights', async () => {
  const files = { 'model.onnx': '', 'tokenizer.json': '{}' }
  expect(readModelFolder(await folderOf('d', files))).toMatchObject({ pooling: 'mean', maxTokens: 512 })
  const folder = await folderOf('e', {
    ...files,
    'tokenizer_config.json': '{"model_max_length": 256}',
    '1_Pooling/config.json': '{"pooling_mode_cls_token": true}',
  })
  expect(readModelFolder(folder)).toMatchObject({ pooling: 'cls', maxTokens: 256 })
  expect(readModelFolder(folder, 'mean').pooling).toBe('mean')
})

async function post(server: EmbeddingServer, body: string, path = '/embeddings') {
  const response = await fetch(`${server.baseUrl}${path}`, { method: 'POST', body })
  return { status: response.status, body: await response.json() }
}

test('the endpoint speaks as OpenAI’s does, and says what is wrong with a request', async () => {
  const embedder = {
    embed: async (text: string) => ({ vector: [text.length, 1], tokens: 3 }),
    close: async () => {},
  }
  const server = await startEmbeddingServer(embedder, { name: 'tiny' })
  try {
    expect(await post(server, '{"model": "tiny", "input": ["ab", "c"]}')).toEqual({
      status: 200,
      body: {
        object: 'list',
        model: 'tiny',
        data: [
          { object: 'embedding', index: 0, embedding: [2, 1] },
          { object: 'embedding', index: 1, embedding: [1, 1] },
        ],
        usage: { prompt_tokens: 6, total_tokens: 6 },
      },
    })
    expect(await post(server, '{')).toMatchObject({ status: 400 })
    expect(await post(server, '{"input": [1]}')).toMatchObject({
      status: 400,
      body: { error: { message: 'input should be a string, or a list of 1 to 256 strings' } },
    })
    expect(await post(server, '{}', '/chat/completions')).toMatchObject({ status: 404 })
    expect(await post(server, `{"input": "${'x'.repeat(5 * 2 ** 20)}"}`)).toMatchObject({ status: 400 })
  } finally {
    await server.close()
  }
})

const isLong = process.env['STATEEVAL_LONG'] === '1'
const model = isLong
  ? await obtainEmbeddingsModel()
  : ({ ok: false, reason: 'it is part of the long tests' } as const)
if (!model.ok) console.log(`skipped: ${model.reason}`)
const whenFound = model.ok ? test : test.skip

whenFound('all-MiniLM-L6-v2 gives the vectors that it is known for', async () => {
  const embedder = await loadEmbedder(model.ok ? model.folder : '')
  const vectors = []
  for (const text of [
    'hello world',
    'Search hotels in Paris',
    'Find a hotel in Paris',
    'The theorem is false',
  ])
    vectors.push((await embedder.embed(text)).vector)
  const [hello, a, b, c] = vectors as [number[], number[], number[], number[]]
  // As torch computes them from the published weights.
  expect(hello.slice(0, 4).map((value) => value.toFixed(4))).toEqual([
    '-0.0345',
    '0.0310',
    '0.0067',
    '0.0261',
  ])
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, at) => sum + value * y[at]!, 0)
  expect(dot(a, a)).toBeCloseTo(1, 5)
  expect(dot(a, b)).toBeGreaterThan(0.7)
  expect(dot(a, c)).toBeLessThan(0.3)
  const long = await embedder.embed('word '.repeat(5000))
  expect(long.tokens).toBeLessThanOrEqual(512)
  await embedder.close()
})
