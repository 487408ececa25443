/** A folder whose files don't belong together is refused by name. */
import { expect, test } from '@jest/globals'
import type { Manifest } from '@stateeval/contracts'
import { sha256 } from '@stateeval/program'
import { idOf } from './flows/manifest.ts'
import { readFolder } from './import-folder.ts'

function folder(count: number, kept: number) {
  const cases = Array.from({ length: count }, (_, at) => `{"id":"c${at}"}\n`).join('')
  const manifest: Manifest = {
    schema: 1,
    id: '',
    benchmark: 'stateeval',
    versions: {},
    seed: 1,
    options: {},
    counts: { generated: 9, passed: 9, kept },
    filtered: [],
    statistics: [],
    files: { 'cases.jsonl': sha256(cases) },
  }
  return { manifest: { ...manifest, id: idOf(manifest) }, cases }
}
const read = (count: number, kept: number) =>
  readFolder(folder(count, kept), () => ({ parse: (line: string) => JSON.parse(line) as object }) as never)

test('a set with fewer or more cases than its manifest counts is refused, with both numbers', () => {
  expect(read(2, 2).ids).toEqual(['c0', 'c1'])
  expect(() => read(2, 3)).toThrow('cases.jsonl has 2 cases where the manifest counts 3 (counts.kept)')
  expect(() => read(1, 0)).toThrow('cases.jsonl has 1 case where the manifest counts 0')
})
