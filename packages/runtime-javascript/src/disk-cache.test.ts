import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { readDiskCache } from './disk-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'stateeval-remembered-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('is made again when an input has changed or gone, or what was kept is broken', () => {
  const [a, b, file] = ['a', 'b', 'kept.json'].map((name) => join(folder, name)) as [string, string, string]
  writeFileSync(a, '1')
  writeFileSync(b, '2')
  let computations = 0
  const value = () =>
    readDiskCache(file, () => {
      computations++
      return { value: `${readFileSync(a, 'utf8')}${computations}`, inputs: [a, b] }
    })
  expect([value(), value()]).toEqual(['11', '11'])
  writeFileSync(a, '3')
  expect([value(), value()]).toEqual(['32', '32'])
  rmSync(b)
  // What was made of a file that is gone isn’t kept.
  expect([value(), value()]).toEqual(['33', '34'])
  writeFileSync(b, '2')
  writeFileSync(file, '{')
  expect([value(), value()]).toEqual(['35', '35'])
  expect(readDiskCache(join(folder, 'no/such/folder'), () => ({ value: 1, inputs: [] }))).toBe(1)
})
