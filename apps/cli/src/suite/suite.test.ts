import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readAnswers } from '../commands/evaluate.ts'
import { createTerminal } from '../terminal.ts'
import { checkFiles } from './download.ts'
import { readFolder, writeFolder } from './folder.ts'
import { importedRecording } from './model-options.ts'
import { integer, seed, share } from './options.ts'
import { type JobResource, progressLine, watch } from './watch.ts'

let scratch = ''
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-cli-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

const silent = createTerminal(false, { stdout: { write: () => true }, stderr: { write: () => true } })

test('a folder is written as a whole and read back; an older one is replaced', async () => {
  const folder = join(scratch, 'set')
  const manifest = { files: { 'README.md': 'x', 'artifacts/aa': 'aa' } }
  await writeFolder(folder, { 'manifest.json': '{}', 'cases.jsonl': 'old', 'artifacts/bb': 'gone afterwards' })
  await writeFolder(folder, {
    'manifest.json': JSON.stringify(manifest),
    'cases.jsonl': '{}\n',
    'README.md': 'card',
    'artifacts/aa': 'bytes',
  })
  expect((await readdir(folder)).sort()).toEqual(['README.md', 'artifacts', 'cases.jsonl', 'manifest.json'])
  expect(await readFolder(folder)).toEqual({
    manifest,
    cases: '{}\n',
    readme: 'card',
    artifacts: { aa: Buffer.from('bytes').toString('base64') },
  })
})

test('what was downloaded is held against the manifest, and the file at fault is named', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const manifest = { files: { 'cases.jsonl': hash('a'), 'artifacts/aa': hash('b') } }
  checkFiles('bm_1', manifest, { 'manifest.json': '{}', 'cases.jsonl': 'a', 'artifacts/aa': Buffer.from('b') })
  expect(() => checkFiles('bm_1', manifest, { 'cases.jsonl': 'a', 'artifacts/aa': Buffer.from('c') })).toThrow(
    /artifacts\/aa of the benchmark bm_1 has other bytes .*; import its folder again/,
  )
})

test('a folder that holds something else is never replaced', async () => {
  const folder = join(scratch, 'precious')
  await writeFolder(folder, { 'manifest.json': '{}' })
  await rm(join(folder, 'manifest.json'))
  await writeFile(join(folder, 'thesis.tex'), 'x')
  await expect(writeFolder(folder, { 'manifest.json': '{}' })).rejects.toThrow('is no benchmark folder')
  expect(await readFile(join(folder, 'thesis.tex'), 'utf8')).toBe('x')
})

test('a file is never replaced by a folder, nor a benchmark that something else lies beside', async () => {
  const file = join(scratch, 'notes.md')
  await writeFile(file, 'x')
  await expect(writeFolder(file, { 'manifest.json': '{}' })).rejects.toThrow('choose another --out')
  expect(await readFile(file, 'utf8')).toBe('x')
  const folder = join(scratch, 'extended')
  await writeFolder(folder, { 'manifest.json': '{}' })
  await writeFile(join(folder, 'answers.jsonl'), 'x')
  await expect(writeFolder(folder, { 'manifest.json': '{}' })).rejects.toThrow('also holds answers.jsonl')
  expect(await readFile(join(folder, 'answers.jsonl'), 'utf8')).toBe('x')
})

test('a missing or torn folder says what to do', async () => {
  await expect(readFolder(join(scratch, 'nowhere'))).rejects.toThrow('npx stateeval build')
  await writeFolder(join(scratch, 'torn'), { 'manifest.json': '{"files":', 'cases.jsonl': '' })
  await expect(readFolder(join(scratch, 'torn'))).rejects.toThrow('torn')
})

test('a recording that is empty, as where there was none to print, is said to be', async () => {
  await writeFile(join(scratch, 'empty.recording'), '\n')
  await expect(importedRecording(join(scratch, 'empty.recording'))).rejects.toThrow('is empty; npx stateeval recording ID')
})

test('answers are read line by line, and an error names the line', async () => {
  const file = join(scratch, 'answers.jsonl')
  await writeFile(file, '{"case":"a","answer":"x"}\n\n{"case":"b","sample":2,"answer":"y"}\n')
  expect(await readAnswers(file)).toEqual([
    { case: 'a', answer: 'x' },
    { case: 'b', sample: 2, answer: 'y' },
  ])
  await writeFile(file, '{"case":"a","answer":"x"}\n{"case":1}\n')
  await expect(readAnswers(file)).rejects.toThrow('line 2')
  await writeFile(file, '\n')
  await expect(readAnswers(file)).rejects.toThrow('holds no answers')
  await writeFile(file, '{"case":')
  await expect(readAnswers(file)).rejects.toThrow('line 1: no valid JSON')
})

test.each([
  ['0.8', 0.8],
  ['80%', 0.8],
  ['0', 0],
  ['100%', 1],
])('the share %s is %d', (text, value) => expect(share(text)).toBe(value))
test.each(['', '80', '-1', 'x'])('%j is no share', (text) => expect(() => share(text)).toThrow('share'))
test.each(['', '1.5', '1e3', '-1', '11', 'x'])('%j is no whole number from 0 to 10', (text) =>
  expect(() => integer(0, 10)(text)).toThrow('0 to 10'),
)
test('a seed is a number where it is one', () => expect([seed('7'), seed('07x'), seed('night')]).toEqual([7, '07x', 'night']))

test('progress is a bar with counts and phase', () => {
  expect(progressLine('build', { done: 30, total: 60, phase: 'oracle' })).toBe(`build ${'█'.repeat(12)}${'░'.repeat(12)} 30/60 oracle`)
  expect(progressLine('build', { done: 0, total: 0, phase: 'queued' })).toContain('0/0 queued')
})

const job = (status: JobResource['status'], error?: string): JobResource => ({
  id: 'x',
  status,
  progress: { done: 0, total: 1, phase: 'p' },
  ...(error ? { error } : {}),
})
const watched = (first: JobResource, get: () => Promise<JobResource>, later = 'stateeval look x') => ({ title: 'build', first, get, later })
test('watching ends with the job: its value, or why it failed', async () => {
  const { signal } = new AbortController()
  const states = [job('running'), job('succeeded')]
  expect(
    (
      await watch(
        watched(job('queued'), async () => states.shift()!),
        silent,
        signal,
      )
    ).status,
  ).toBe('succeeded')
  const failing = watched(job('queued'), async () => job('failed', 'no disk'))
  await expect(watch(failing, silent, signal)).rejects.toThrow('build x failed: no disk')
  await expect(watch({ ...failing, remedy: 'stateeval resume x' }, silent, signal)).rejects.toThrow(
    'no disk; go on with: stateeval resume x',
  )
})
test('interrupted, watching stops and says that the job goes on', async () => {
  const stop = new AbortController()
  const watching = watch(
    watched(job('running'), async () => job('running')),
    silent,
    stop.signal,
  )
  stop.abort()
  await expect(watching).rejects.toThrow('build x goes on in the service; look with: stateeval look x')
})
