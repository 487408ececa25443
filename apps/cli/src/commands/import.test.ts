import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTerminal } from '../terminal.ts'
import { readDataset } from './import.ts'

const silent = createTerminal(false, { stdout: { write: () => 0 }, stderr: { write: () => 0 } })

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
  expect(await readDataset('wapiibench', join(scratch, 'wapiibench'), silent)).toEqual(files)
  expect(await readDataset('wapiibench', scratch, silent)).toEqual(files)
})
test('a folder without them, and a benchmark without data', async () => {
  await expect(readDataset('wapiibench', join(scratch, 'nowhere'), silent)).rejects.toThrow(
    'scripts/datasets --download wapiibench',
  )
  await expect(readDataset('chess', scratch, silent)).rejects.toThrow(
    'there is no published data for chess; available for: stateeval, wapiibench',
  )
})
test('files of a name down to a depth of folders, whatever the folders are called', async () => {
  const root = join(scratch, 'published')
  const files = {
    'session/evaluator_3.json': '{}',
    'session/agent_data/agent_data.json': '{"3": {}}',
    'rows/voice.jsonl': '{}',
  }
  for (const [path, text] of Object.entries({
    ...files,
    'session/metadata.pkl': 'x',
    '.git/a.jsonl': 'no',
  })) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
  expect(await readDataset('stateeval', root, silent)).toEqual(files)
  expect(Object.keys(await readDataset('stateeval', join(root, 'session'), silent))).toEqual([
    'agent_data/agent_data.json',
    'evaluator_3.json',
  ])
  await expect(readDataset('stateeval', join(scratch, 'wapiibench/specs'), silent)).rejects.toThrow(
    'has no files of stateeval. Name the folder that contains its published cases, or one of their files.',
  )
})
test('a single file, plain or packed', async () => {
  const file = join(scratch, 'some.jsonl')
  await writeFile(file, '{}\n')
  await writeFile(join(scratch, 'more.jsonl.gz'), gzipSync('{"a":1}\n'))
  await writeFile(join(scratch, 'torn.jsonl.gz'), 'no gzip')
  expect(await readDataset('complexfuncbench', file, silent)).toEqual({ 'some.jsonl': '{}\n' })
  expect(await readDataset('complexfuncbench', join(scratch, 'more.jsonl.gz'), silent)).toEqual({
    'more.jsonl': '{"a":1}\n',
  })
  await expect(readDataset('complexfuncbench', join(scratch, 'torn.jsonl.gz'), silent)).rejects.toThrow(
    "can't be unpacked",
  )
  await expect(
    readDataset('complexfuncbench', join(scratch, 'wapiibench/specs/notes.txt'), silent),
  ).rejects.toThrow('has no files of complexfuncbench')
  await expect(readDataset('complexfuncbench', join(scratch, 'wapiibench'), silent)).rejects.toThrow(
    'has no files',
  )
  await rm(join(scratch, 'torn.jsonl.gz'))
  expect(Object.keys(await readDataset('complexfuncbench', scratch, silent))).toEqual([
    'more.jsonl',
    'some.jsonl',
  ])
})
