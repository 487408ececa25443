import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readAnswers } from '../commands/evaluate.ts'
import { readDataset } from '../commands/import.ts'
import { readPublished } from '../commands/tables.ts'
import { readConfiguration } from '../configuration/file.ts'
import { withDotEnv } from '../local/environment.ts'
import { createTerminal } from '../terminal.ts'
import { describeSpending } from './conclude.ts'
import { checkFiles } from './download.ts'
import { readFolder, writeFolder } from './folder.ts'
import { importRecordingFile, readSettingsFile } from './model-options.ts'
import { parseAmount, parseInteger, parseSeed, parseShare } from './options.ts'
import { showUpload } from './upload.ts'
import { createCounter, createTally, showBytes, showLines } from './counter.ts'
import { createPace, formatDuration } from './pace.ts'
import { type JobResource, formatProgressLine, watch } from './watch.ts'

let scratch = ''
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-cli-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

const silent = createTerminal(false, { stdout: { write: () => true }, stderr: { write: () => true } })

test('a folder is written as a whole and read back; an older one is replaced', async () => {
  const folder = join(scratch, 'set')
  const manifest = { files: { 'README.md': 'x', 'artifacts/aa': 'aa' } }
  await writeFolder(folder, {
    'manifest.json': '{}',
    'cases.jsonl': 'old',
    'artifacts/bb': 'gone afterwards',
  })
  await writeFolder(folder, {
    'manifest.json': JSON.stringify(manifest),
    'cases.jsonl': '{}\n',
    'README.md': 'card',
    'artifacts/aa': 'bytes',
  })
  expect((await readdir(folder)).sort()).toEqual(['README.md', 'artifacts', 'cases.jsonl', 'manifest.json'])
  // Nothing of the older one is left beside it.
  expect((await readdir(scratch)).filter((name) => name.startsWith('.set.'))).toEqual([])
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
  checkFiles('bm_1', manifest, {
    'manifest.json': '{}',
    'cases.jsonl': 'a',
    'artifacts/aa': Buffer.from('b'),
  })
  expect(() =>
    checkFiles('bm_1', manifest, { 'cases.jsonl': 'a', 'artifacts/aa': Buffer.from('c') }),
  ).toThrow(/artifacts\/aa of the benchmark bm_1 does not match its manifest.*; import the folder again/)
})

test('a folder that holds something else is never replaced', async () => {
  const folder = join(scratch, 'precious')
  await writeFolder(folder, { 'manifest.json': '{}' })
  await rm(join(folder, 'manifest.json'))
  await writeFile(join(folder, 'thesis.tex'), 'x')
  await expect(writeFolder(folder, { 'manifest.json': '{}' })).rejects.toThrow('is not a benchmark folder')
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
  await expect(writeFolder(folder, { 'manifest.json': '{}' })).rejects.toThrow('also contains answers.jsonl')
  expect(await readFile(join(folder, 'answers.jsonl'), 'utf8')).toBe('x')
})

test('what a link in a folder leads to is never sent', async () => {
  const secret = join(scratch, 'secret')
  await writeFile(secret, 'SECRET')
  const whole = {
    'manifest.json': '{"files":{"README.md":"x","artifacts/aa":"aa"}}',
    'cases.jsonl': '',
    'README.md': 'x',
    'artifacts/aa': '',
  }
  for (const name of ['manifest.json', 'cases.jsonl', 'README.md', 'artifacts/aa', 'artifacts']) {
    const folder = join(scratch, `links-${name.replace('/', '-')}`)
    await writeFolder(folder, whole)
    await rm(join(folder, name), { recursive: true })
    await symlink(name === 'artifacts' ? scratch : secret, join(folder, name))
    await expect(readFolder(folder)).rejects.toThrow(
      `${join(folder, name)} is a symbolic link. Only regular files in the folder are sent`,
    )
  }
  const data = join(scratch, 'links-data')
  await mkdir(join(data, 'tasks'), { recursive: true })
  await symlink(secret, join(data, 'tasks', 'asana.json'))
  await expect(readDataset('wapiibench', data, silent)).rejects.toThrow('is a symbolic link')
  // The folder itself is the caller's own choice.
  await writeFolder(join(scratch, 'linked'), whole)
  await symlink(join(scratch, 'linked'), join(scratch, 'link'))
  expect(await readFolder(join(scratch, 'link'))).toMatchObject({ readme: 'x' })
})

test('what is no plain file is refused, and nothing waits for it', async () => {
  const folder = join(scratch, 'pipes')
  await writeFolder(folder, { 'manifest.json': '{}', 'cases.jsonl': '' })
  await rm(join(folder, 'cases.jsonl'))
  execFileSync('mkfifo', [join(folder, 'cases.jsonl')])
  await expect(readFolder(folder)).rejects.toThrow('is not a regular file')
})

test('a missing or torn folder says what to do', async () => {
  await expect(readFolder(join(scratch, 'nowhere'))).rejects.toThrow('npx stateeval build')
  await writeFolder(join(scratch, 'torn'), { 'manifest.json': '{"files":', 'cases.jsonl': '' })
  await expect(readFolder(join(scratch, 'torn'))).rejects.toThrow('torn')
  await writeFolder(join(scratch, 'earlier'), { 'manifest.json': '{"schema":1}', 'cases.jsonl': '' })
  await expect(readFolder(join(scratch, 'earlier'))).rejects.toThrow(
    'reads schema 2: build the benchmark again',
  )
})

test('a recording that is empty, as where there was none to print, is said to be', async () => {
  await writeFile(join(scratch, 'empty.recording'), '\n')
  await expect(importRecordingFile(join(scratch, 'empty.recording'))).rejects.toThrow(
    'is empty; npx stateeval recording ID',
  )
})

test('answers are read line by line, and an error names the line', async () => {
  const file = join(scratch, 'answers.jsonl')
  await writeFile(file, '{"case":"a","answer":"x"}\n\n{"case":"b","sample":2,"answer":"y"}\n')
  expect(await readAnswers(file)).toEqual({
    file,
    answers: [
      { case: 'a', answer: 'x' },
      { case: 'b', sample: 2, answer: 'y' },
    ],
    lines: [1, 3],
  })
  await writeFile(file, '{"case":"a","answer":"x"}\n{"case":1}\n')
  await expect(readAnswers(file)).rejects.toThrow('line 2')
  await writeFile(file, '\n')
  await expect(readAnswers(file)).rejects.toThrow('contains no answers')
  await writeFile(file, '{"case":')
  await expect(readAnswers(file)).rejects.toThrow('line 1: not valid JSON')
})

test.each([
  ['"sample":-1', '"sample" must be >= 0'],
  ['"sample":1.5', '"sample" must be a whole number'],
  ['"sample":"0"', '"sample" must be a whole number'],
  ['"sample":99999', '"sample" must be <= 999'],
  ['"replies":[{"text":1}]', '"replies.0.text" must be a string'],
])('an answer with %s is refused with its line and member', async (member, says) => {
  const file = join(scratch, 'members.jsonl')
  await writeFile(file, `{"case":"a","answer":"x","comment":1}\n\n{"case":"a","answer":"x",${member}}\n`)
  await expect(readAnswers(file)).rejects.toThrow(`${file}, line 3: ${says}; each line is {`)
})

test('a byte order mark at the start of a file is skipped', async () => {
  const mark = '\uFEFF'
  const marked = async (name: string, content: string) => {
    const file = join(scratch, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, mark + content)
    return file
  }
  expect(await readAnswers(await marked('marked.jsonl', '{"case":"a","answer":"x"}\n'))).toMatchObject({
    answers: [{ case: 'a', answer: 'x' }],
  })
  expect(await readSettingsFile(await marked('model.json', '{"model":"x"}'))).toEqual({ model: 'x' })
  expect(await readPublished(await marked('published.json', '{"tables":{}}'))).toEqual({ tables: {} })
  const yaml = await marked('stateeval.yaml', 'commands: { list: { last: 3 } }\n')
  expect(await readConfiguration(scratch, { STATEEVAL_CONFIG: yaml })).toMatchObject({
    commands: { list: { last: 3 } },
  })
  await marked('.env', 'STATEEVAL_URL=http://127.0.0.1:1\n')
  expect(withDotEnv(scratch, {})).toEqual({ STATEEVAL_URL: 'http://127.0.0.1:1' })
  await marked('marked/manifest.json', '{"files":{}}')
  await writeFile(join(scratch, 'marked/cases.jsonl'), '')
  expect(await readFolder(join(scratch, 'marked'))).toMatchObject({ manifest: { files: {} } })
  await marked('data/tasks/asana.json', '[]')
  await marked('data/specs/asana.yaml', 'openapi: 3.0.0\n')
  expect(await readDataset('wapiibench', join(scratch, 'data'), silent)).toEqual({
    'tasks/asana.json': '[]',
    'specs/asana.yaml': 'openapi: 3.0.0\n',
  })
})

test.each([
  ['0.8', 0.8],
  ['80%', 0.8],
  ['0', 0],
  ['100%', 1],
])('the share %s is %d', (text, value) => expect(parseShare(text)).toBe(value))
test.each(['', '0x10', '1e2', '-1', ' '])('%j is no amount', (text) =>
  expect(() => parseAmount(text)).toThrow('amount'),
)
test.each(['', '80', '-1', 'x', '%', ' %', '0x1', '101%'])('%j is no share', (text) =>
  expect(() => parseShare(text)).toThrow('share'),
)
test.each(['', '1.5', '1e3', '-1', '11', 'x'])('%j is no whole number from 0 to 10', (text) =>
  expect(() => parseInteger(0, 10)(text)).toThrow('0 to 10'),
)
test('a seed is a number where it is one', () =>
  expect([parseSeed('7'), parseSeed('07x'), parseSeed('night')]).toEqual([7, '07x', 'night']))

test('progress is a bar with counts and phase', () => {
  expect(formatProgressLine('build', { done: 30, total: 60, phase: 'oracle' })).toBe(
    `build ${'█'.repeat(12)}${'░'.repeat(12)} 30/60 oracle`,
  )
  expect(formatProgressLine('build', { done: 0, total: 0, phase: 'queued' })).toContain('0/0 queued')
})

const job = (status: JobResource['status'], error?: string): JobResource => ({
  id: 'x',
  status,
  progress: { done: 0, total: 1, phase: 'p' },
  ...(error ? { error } : {}),
})
const watched = (first: JobResource, get: () => Promise<JobResource>, later = 'stateeval look x') => ({
  title: 'build',
  first,
  get,
  later,
})
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
    'no disk. Continue with `stateeval resume x`',
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
  await expect(watching).rejects.toThrow(
    'build x continues in the service. Look later with: stateeval look x',
  )
})

/** What a person reads who has nothing but the output of a command. */
function reader(isTTY: boolean, json = false, progressLines = false) {
  const output = { out: '', err: '' }
  const stream = (name: 'out' | 'err') => ({
    isTTY,
    columns: 200,
    write: (text: string) => (output[name] += text),
  })
  const streams = { stdout: stream('out'), stderr: stream('err'), progressLines }
  return { output, terminal: createTerminal(json, streams) }
}
/** A job that takes some looks to end. */
const slow = (looks: number) => {
  let done = 0
  const at = (): JobResource => ({
    ...job(done < looks ? 'running' : 'succeeded'),
    progress: { done, total: looks, phase: 'evaluate' },
  })
  return { title: 'evaluation', first: at(), later: 'x', get: async () => (done++, at()) }
}
test('off a terminal only a note is said, once; with lines of progress one now and then, also with --json', async () => {
  const quiet = reader(false)
  const note = () => 'Time limits dominate.'
  await watch({ ...slow(4), notes: [note] }, quiet.terminal, new AbortController().signal, { lineEveryMs: 1 })
  expect(quiet.output).toEqual({ out: '', err: 'Time limits dominate.\n' })
  for (const json of [false, true]) {
    const { output, terminal } = reader(false, json, true)
    const watching = {
      ...slow(6),
      more: () => ['50.0 % passed'],
      notes: [({ progress }: JobResource) => (progress.done > 1 ? 'Time limits dominate.' : null)],
    }
    await watch(watching, terminal, new AbortController().signal, { lineEveryMs: 150 })
    const lines = output.err.trimEnd().split('\n')
    expect(lines.filter((line) => line === 'Time limits dominate.')).toHaveLength(1)
    expect(lines.find((line) => line.startsWith('evaluation x:'))).toMatch(
      /^evaluation x: \d\/6 evaluate, (.*\/min, )?50\.0 % passed$/,
    )
    expect(lines.length).toBeGreaterThan(2)
    expect(output).toMatchObject({ out: '', err: expect.not.stringContaining('\r') })
  }
})
test('on a terminal one line is rewritten, and never longer than the terminal is wide', async () => {
  const { output, terminal } = reader(true)
  await watch({ ...slow(4), more: () => ['x'.repeat(500)] }, terminal, new AbortController().signal, {
    lineEveryMs: 1,
  })
  expect(output.err).not.toContain('\n')
  const lines = output.err.split('\r\u001b[K').filter((line) => line !== '')
  expect(lines.length).toBeGreaterThan(2)
  expect(Math.max(...lines.map((line) => line.length))).toBe(199)
})

test('work of the command itself shows rate and time left, on a terminal only', () => {
  for (const isTTY of [true, false]) {
    const { output, terminal } = reader(isTTY)
    let now = 0
    const tell = createCounter('backup', 100, terminal, () => now)
    tell(0, 'cases')
    now = 60_000
    tell(50, 'answers')
    expect(output.err.split('\r\u001b[K').at(-1)).toBe(
      isTTY ? 'backup ████████████░░░░░░░░░░░░ 50/100 answers, 60 s left, 50/min' : '',
    )
  }
})

test('a stream shows its size and rate, on a terminal only, and passes whole', async () => {
  for (const isTTY of [true, false]) {
    const { output, terminal } = reader(isTTY)
    let now = 0
    async function* pieces() {
      yield new Uint8Array(2 ** 20)
      now = 10_000
      yield new Uint8Array(3 * 2 ** 20)
      await Promise.resolve()
    }
    let bytes = 0
    for await (const piece of showBytes('export', pieces(), terminal, () => now)) bytes += piece.length
    expect(bytes).toBe(4 * 2 ** 20)
    expect(output.err.split('\r\u001b[K').at(-1)).toBe(isTTY ? 'export 4.0 MiB, 0.3 MiB/s' : '')
  }
})

test.each([
  ['JSON lines', { total: 4, noun: 'samples' }, ['{"a":1}\n{"a"', ':2}\n']],
  [
    'CSV with line breaks in cells',
    { total: 4, noun: 'samples', heading: 1, quotes: true },
    ['a\n"1\n', '1"\n2\n'],
  ],
])('%s show rows, rate and time left, on a terminal only', async (_, lines, texts) => {
  for (const isTTY of [true, false]) {
    const { output, terminal } = reader(isTTY)
    let now = 0
    async function* pieces() {
      yield new Uint8Array()
      for (const text of texts) {
        now += 30_000
        yield Buffer.from(text)
      }
      await Promise.resolve()
    }
    let all = ''
    for await (const piece of showLines('export', pieces(), lines, terminal, () => now))
      all += Buffer.from(piece).toString()
    expect(all).toBe(texts.join(''))
    expect(output.err.split('\r\u001b[K').at(-1)).toBe(
      isTTY ? 'export ████████████░░░░░░░░░░░░ 2/4 samples, 60 s left, 2.0/min' : '',
    )
  }
})

test('work without a known total shows a count and its rate', () => {
  const { output, terminal } = reader(true)
  let now = 0
  const tell = createTally('audit', 'entries', terminal, () => now)
  tell(0)
  now = 60_000
  tell(500)
  expect(output.err.split('\r\u001b[K').at(-1)).toBe('audit 500 entries, 500/min')
})

test('off a terminal, lines of progress come now and then where they were asked for', () => {
  const { output, terminal } = reader(false, false, true)
  let now = 0
  const tell = createCounter('backup', 100, terminal, () => now)
  for (const [at, done] of [
    [0, 0],
    [29_000, 20],
    [60_000, 50],
    [61_000, 51],
  ] as const) {
    now = at
    tell(done, 'answers')
  }
  expect(output.err).toBe('backup: 50/100 answers, 60 s left, 50/min\n')
})

test('a large body is sent whole while its progress is shown, then how long the service takes', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      bodies.push(body)
      setTimeout(() => response.end('done'), 1200)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const large = 'ä'.repeat(1.5 * 2 ** 20)
  const { output, terminal } = reader(true)
  const post = (body: string) => showUpload('import', terminal)(url, { method: 'POST', body })
  expect(await (await post(large)).text()).toBe('done')
  expect(output.err).toContain('import ████████████████████████ 3/3 MiB sent')
  expect(output.err).toContain('import: sent; the service has been checking and storing it for')
  output.err = ''
  await post('small')
  expect(output.err).toBe('')
  expect(bodies).toEqual([large, 'small'])
  expect(showUpload('import', silent)).toBe(fetch)
  server.close()
})

test('pace and time left come from what was done lately; another phase begins anew', () => {
  let now = 0
  const pace = createPace(() => now)
  const at = (ms: number, done: number, phase = 'evaluate') => ((now = ms), pace({ done, total: 100, phase }))
  expect(at(0, 0)).toBeNull()
  expect(at(1000, 5)).toBeNull()
  expect(at(60_000, 10)).toEqual({ perMinute: 10, leftMs: 540_000 })
  expect(at(600_000, 10)).toEqual({ perMinute: 0, leftMs: null })
  expect(at(660_000, 40)).toEqual({ perMinute: 3, leftMs: 1_200_000 })
  expect(at(780_000, 100)).toEqual({ perMinute: 30, leftMs: 0 })
  expect(at(661_000, 0, 'report')).toBeNull()
  expect([400, 89_000, 100_000, 12_000_000].map(formatDuration)).toEqual([
    '1 s',
    '89 s',
    '2 min',
    '3 h 20 min',
  ])
})

test('what an evaluation has come to: pass rate, errors, timeouts, tokens and cost', () => {
  const counts = { samples: 40, scored: 20, passed: 15, notScored: 1, timeouts: 2 }
  const spent = { requests: 21, promptTokens: 12_000, completionTokens: 345, costUsd: 0.01234 }
  expect(describeSpending({ counts, spent })).toEqual([
    '75.0 % [71.4–76.2 %] passed',
    '1 error',
    '2 timeouts',
    '12,345 tokens',
    '$0.0123',
  ])
  expect(describeSpending({ counts: { ...counts, scored: 0, notScored: 0, timeouts: 1 } })).toEqual([
    '0 errors',
    '1 timeout',
  ])
})
