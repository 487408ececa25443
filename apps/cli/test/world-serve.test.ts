/** `world serve` and `world certify`, as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLong, stateeval } from '@stateeval/testkit'
import { certifyWorld } from '@stateeval/world-model'
import { readSpecification } from '../src/suite/specification-files.ts'
import { inferFromText } from '../src/world/infer.ts'
import { createLibrary } from '../../../packages/world-model/test/library.ts'
import { createModelledHost } from '../../../packages/world-model/test/modelled-host.ts'

let folder: string
let file: string
let server: ChildProcess | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-world-'))
  file = join(folder, 'library.world.json')
  await writeFile(file, JSON.stringify(createLibrary()))
})
afterAll(async () => {
  server?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

test('a served world answers as its model predicts, is emptied by request, and ends when it is told', async () => {
  const bin = join(import.meta.dirname, '../bin/stateeval.js')
  const reset = ['--reset', 'POST /reset']
  const child = (server = spawn(process.execPath, [bin, 'world', 'serve', file, ...reset], {
    stdio: ['ignore', 'ignore', 'pipe'],
  }))
  let output = ''
  for await (const chunk of child.stderr) {
    output += String(chunk)
    if (output.includes('Ctrl-C')) break
  }
  const [, url = ''] = /(http:\/\/\S+?)\/v1\. /.exec(output)!
  const post = (path: string, body?: string) => fetch(`${url}${path}`, { method: 'POST', body: body ?? null })
  const created = await post('/v1/authors', '{"name":"Mary"}')
  expect([created.status, await created.json()]).toMatchObject([
    201,
    { data: { name: 'Mary', active: true } },
  ])
  expect((await post('/v1/authors', '{}')).status).toBe(422)
  expect((await post('/v1/authors', `"${'x'.repeat(2 ** 20)}"`)).status).toBe(413)
  const list = async () => (await (await fetch(`${url}/v1/authors`)).json()) as { total: number }
  expect(await list()).toMatchObject({ total: 1 })
  expect((await post('/reset')).status).toBe(204)
  expect(await list()).toMatchObject({ total: 0 })
  const certify = ['certify', file, '--url', url, '--allow', 'loopback', '--sequences', '4']
  const { code, value } = await stateeval('world', ...certify, ...reset, '--json')
  expect([code, value.agreed, value.firstDifference]).toEqual([0, value.calls, undefined])
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('a model that is none is refused by its place', async () => {
  const bad = join(folder, 'bad.json')
  await writeFile(bad, JSON.stringify({ ...createLibrary(), types: {} }))
  const { code, err } = await stateeval('world', 'serve', bad)
  expect([code, err]).toEqual([2, expect.stringMatching(/bad\.json: \/operations\//m)])
})

const specs = join(process.env['STATEEVAL_DATASETS'] ?? '', 'specs')
const hasSpecs = process.env['STATEEVAL_DATASETS'] !== undefined && existsSync(specs)
if (!hasSpecs) console.info('skipped: real specifications: STATEEVAL_DATASETS names no folder with specs')
const documents = hasSpecs
  ? readdirSync(specs).filter((name) =>
      isLong
        ? /\.(json|ya?ml)$/.test(name)
        : ['gotify.json', 'slack-v2.json', 'twilio-verify.yaml'].includes(name),
    )
  : []
test('models of real documents predict the worlds that they serve', async () => {
  let models = 0
  for (const document of documents) {
    const { name, text } = await readSpecification(join(specs, document))
    // Some documents have nothing to call.
    const { model } = await inferFromText(text, name).catch(() => ({ model: undefined }))
    if (!model || Object.keys(model.operations).length === 0) continue
    models++
    const { certificate } = await certifyWorld(model, createModelledHost(model), {
      at: '',
      sequences: isLong ? 4 : 1,
    })
    const { calls, agreed, firstDifference } = certificate
    expect([document, agreed, firstDifference]).toEqual([document, calls, undefined])
  }
  if (hasSpecs) expect(models).toBeGreaterThanOrEqual(isLong ? 20 : 3)
})
