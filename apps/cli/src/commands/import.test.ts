import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readDataset } from './import.ts'

let scratch = ''
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-cli-'))
  for (const part of ['tasks', 'specs']) await mkdir(join(scratch, 'wapiibench', part), { recursive: true })
  await writeFile(join(scratch, 'wapiibench/tasks/a.json'), '{}')
  await writeFile(join(scratch, 'wapiibench/specs/a.yaml'), 'x: 1')
  await writeFile(join(scratch, 'wapiibench/specs/notes.txt'), 'no')
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

test('the files of a benchmark are read, also below its name', async () => {
  const files = { 'tasks/a.json': '{}', 'specs/a.yaml': 'x: 1' }
  expect(await readDataset('wapiibench', join(scratch, 'wapiibench'))).toEqual(files)
  expect(await readDataset('wapiibench', scratch)).toEqual(files)
})
test('a folder without them, and a benchmark without data', async () => {
  await expect(readDataset('wapiibench', join(scratch, 'nowhere'))).rejects.toThrow(
    'scripts/datasets --download wapiibench',
  )
  await expect(readDataset('chess', scratch)).rejects.toThrow(
    'there is no published data for chess; there is for: wapiibench',
  )
})
