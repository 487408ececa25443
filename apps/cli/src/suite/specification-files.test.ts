/** Specifications of several files become one document, within their folder. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { benchmarksFor } from '@stateeval/benchmarks'
import { zipSync } from 'fflate'
import { readSpecification } from './specification-files.ts'

const wapiibench = benchmarksFor({
  scenario: () => {
    throw new Error('no scenario is needed')
  },
}).get('wapiibench')!

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-spec-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function write(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}
const read = async (name: string) => JSON.parse((await readSpecification(join(folder, name))).text) as object

test('references are followed from where they stand, in circles as well', async () => {
  await write({
    'openapi.yaml':
      'openapi: 3.1.0\npaths: { /a: { get: { $ref: "operations/a~b.yml" } } }\ncomponents: { schemas: { A: { $ref: "#/components/schemas/B" }, B: {} } }',
    'operations/a~b.yml':
      'parameters: [{ $ref: "../parts.json#/limit" }, { $ref: "#/own" }, { $ref: "https://a.b/c.yml#/x" }]\nown: { name: q }',
    'parts.json':
      '{"limit": {"name": "limit", "schema": {"$ref": "openapi.yaml#/components/schemas/A"}, "again": {"$ref": "operations/a~b.yml"}}}',
  })
  const file = '#/x-files/operations~1a~0b.yml'
  const expected = {
    openapi: '3.1.0',
    paths: { '/a': { get: { $ref: file } } },
    components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: {} } },
    'x-files': {
      'operations/a~b.yml': {
        parameters: [
          { $ref: '#/x-files/parts.json/limit' },
          { $ref: `${file}/own` },
          { $ref: 'https://a.b/c.yml#/x' },
        ],
        own: { name: 'q' },
      },
      'parts.json': {
        limit: { name: 'limit', schema: { $ref: '#/components/schemas/A' }, again: { $ref: file } },
      },
    },
  }
  expect(await read('openapi.yaml')).toEqual(expected)
  expect(await read('.')).toEqual(expected)
})

test('one file stays as it is', async () => {
  const text =
    'openapi: 3.1.0  # as it is\ncomponents: { schemas: { A: { $ref: "#/b" }, C: { $ref: "https://a.b/c" } } }\n'
  await write({ 'a.yaml': text })
  expect(await readSpecification(join(folder, 'a.yaml'))).toEqual({ name: 'a.yaml', text })
})

test.each([
  ['a file that is not there', 'missing.yaml#/x'],
  ['a file outside', '../b.yaml'],
  ['a link that leads outside', 'link.yaml'],
  ['a file that is not YAML', 'broken.yaml'],
])('%s: only what refers to it is left out, with its place', async (_, reference) => {
  await write({
    'a.yaml': `openapi: 3.0.0
servers: [{ url: "https://a.example" }]
paths: { /a: { get: { $ref: "parts/b.yaml" } }, /c: { get: {} }, /d: { get: { parameters: [{ $ref: "d.yaml" }] } } }`,
    'parts/b.yaml': `{ parameters: [{ $ref: "../${reference}" }] }`,
    'd.yaml': '{ name: d, in: query }',
    'broken.yaml': '{ a: [',
  })
  await symlink('/etc/hostname', join(folder, 'link.yaml'))
  const { text } = await readSpecification(join(folder, 'a.yaml'))
  expect(text).not.toContain('hostname')
  const source = wapiibench.building!.writing!.open(
    text,
    { id: 'a', rounds: 1, together: 10, longest: 400_000 },
    {},
  )
  expect(source.targets.map(({ name, detail }) => [name, detail])).toEqual([
    ['GET /a', expect.stringContaining(`refers to ${reference}, which is not a part of the document`)],
    ['GET /c', undefined],
    ['GET /d', undefined],
  ])
})

test('a specification that is not there is refused', async () => {
  await expect(readSpecification(join(folder, 'a.yaml'))).rejects.toThrow(/a\.yaml cannot be read/)
})
test.each([[{}], [{ 'openapi.yaml': '{}', 'openapi.json': '{}' }]])(
  'a folder without one main file is refused',
  async (files) => {
    await write(files)
    await expect(readSpecification(folder)).rejects.toThrow(/name the specification itself/)
  },
)

const parts = {
  'api-main/openapi.yaml': 'paths: { /a: { $ref: parts/a.yaml } }',
  'api-main/parts/a.yaml': 'get: { $ref: "../b.json#/b" }',
  'api-main/b.json': '{"b": {}}',
  'api-main/README.md': 'No part of it.',
  'api-main/examples/openapi.yaml': 'paths: {}',
}
const long = `api-main/${'deep/'.repeat(40)}c.json`
const whole = {
  paths: { '/a': { $ref: '#/x-files/api-main~1parts~1a.yaml' } },
  'x-files': {
    'api-main/parts/a.yaml': { get: { $ref: '#/x-files/api-main~1b.json/b' } },
    'api-main/b.json': { b: {} },
  },
}
const bytesOf = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))

test.each([
  ['api.tar.gz', ['-czf', '--format=gnu']],
  ['api.tgz', ['-czf', '--format=pax']],
  ['api.tar', ['-cf', '--format=ustar']],
])('%s is read like its folder', async (name, [flags, format]) => {
  await write({ ...parts, ...(format !== '--format=ustar' && { [long]: '{}' }) })
  execFileSync('tar', [format!, flags!, join(folder, name), 'api-main'], { cwd: folder })
  const { name: title, text } = await readSpecification(join(folder, name))
  expect([title, JSON.parse(text)]).toEqual(['api', whole])
})
test('a tar archive is refused if a file leads out of it, or its end is missing', async () => {
  await write({ ...parts, 'a.yaml': '{}' })
  const pack = (...names: string[]) =>
    execFileSync('tar', ['-P', '-cf', join(folder, 'api.tar'), ...names], { cwd: join(folder, 'api-main') })
  pack('openapi.yaml', '../a.yaml')
  await expect(readSpecification(join(folder, 'api.tar'))).rejects.toThrow(/leads out of it: \.\.\/a\.yaml/)
  pack('openapi.yaml')
  const whole = await readFile(join(folder, 'api.tar'))
  await writeFile(join(folder, 'api.tar'), whole.subarray(0, 520))
  await expect(readSpecification(join(folder, 'api.tar'))).rejects.toThrow(/is broken/)
})
test('a zip archive is read like its folder', async () => {
  await writeFile(join(folder, 'api.zip'), zipSync(bytesOf({ ...parts, [long]: '{}' })))
  const { name, text } = await readSpecification(join(folder, 'api.zip'))
  expect([name, JSON.parse(text)]).toEqual(['api', whole])
})

test.each([
  ['a name that leads out', bytesOf({ '../a.yaml': '' }), /leads out of it/],
  ['an absolute name', bytesOf({ '/a.yaml': '' }), /leads out of it/],
  ['no main file', bytesOf({ 'a.yaml': '' }), /no file named openapi/],
  ['too much', { 'openapi.json': new Uint8Array(65 * 1024 * 1024) }, /more than 67108864 bytes/],
])('an archive with %s is refused', async (_, files, says) => {
  await writeFile(join(folder, 'api.zip'), zipSync(files, { level: 1 }))
  await expect(readSpecification(join(folder, 'api.zip'))).rejects.toThrow(says)
})
test.each([
  ['broken', 'a.zip', 'PK\x03\x04'],
  ['cut', 'a.tar.gz', '\x1f\x8b\x08'],
  ['no archive', 'a.tar', 'x'.repeat(600)],
])('a file that is %s is refused', async (_, name, text) => {
  await writeFile(join(folder, name), Buffer.from(text, 'latin1'))
  await expect(readSpecification(join(folder, name))).rejects.toThrow(/is broken|no file named/)
})
