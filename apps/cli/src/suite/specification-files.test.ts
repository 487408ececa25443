/** Specifications of several files become one document, within their folder. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { readSpecification } from './specification-files.ts'

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
  ['a file that is not there', { 'a.yaml': 'paths: { /a: { $ref: b.yaml } }' }, /b\.yaml cannot be read/],
  ['a file outside', { 'a.yaml': 'paths: { /a: { $ref: ../b.yaml } }' }, /which is not in .* --spec FOLDER/],
  [
    'a link that leads outside',
    { 'a.yaml': 'paths: { /a: { $ref: link.yaml } }' },
    /link\.yaml leads out of/,
  ],
])('%s is refused', async (_, files, says) => {
  await write(files)
  await symlink('/etc/hostname', join(folder, 'link.yaml'))
  await expect(readSpecification(join(folder, 'a.yaml'))).rejects.toThrow(says)
})
test.each([[{}], [{ 'openapi.yaml': '{}', 'openapi.json': '{}' }]])(
  'a folder without one main file is refused',
  async (files) => {
    await write(files)
    await expect(readSpecification(folder)).rejects.toThrow(/name the specification itself/)
  },
)
