/**
 * NESTFUL from the command line, on the real services: import, evaluations, tables, fresh cases, functions of
 * a user in the jail.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Report } from '@stateeval/contracts'
import {
  type CommandLine,
  pickForRun,
  type ScriptedModel,
  startCommandLine,
  startScriptedModel,
  stateeval,
} from '@stateeval/testkit'

const sample = join(import.meta.dirname, '../benchmarks/nestful/sample')
let line: CommandLine
let endpoint: ScriptedModel
let importing: Awaited<ReturnType<typeof stateeval>>
let imported: string

beforeAll(async () => {
  line = await startCommandLine()
  // Always the same list: right for one sample, a list of unknown calls for the others.
  endpoint = await startScriptedModel(() => ({
    say: '```json\n[{"name": "reminder", "label": "$var_1", "arguments": {"arg_0": 12, "arg_1": 4}}]\n```',
  }))
  const named = ['model', 'mine', '--base-url', endpoint.baseUrl, '--model-id', 'scripted']
  expect(await stateeval(...named)).toMatchObject({ code: 0 })
  const data = join(line.scratch, 'data')
  await mkdir(data)
  for (const part of ['v1', 'v2']) await cp(join(sample, part), join(data, part), { recursive: true })
  importing = await stateeval('import', 'nestful', data, '--json')
  imported = importing.value?.id as string
})
afterAll(async () => {
  await line?.stop()
  await endpoint?.close()
})

type Evaluated = Report & { evaluation: string }
async function evaluated(...args: string[]): Promise<Evaluated> {
  const { code, err, value } = await stateeval('evaluate', ...args, '--json')
  expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  return value as Evaluated
}
const measure = ({ result }: Report, policy: string, group: string, name: string, measured: string) =>
  result.measures!.find((one) => one.policy === policy && one.group === group && one.name === name)!.values[
    measured
  ]

test('published data are imported, and gold answers score 1.0 in every setup', async () => {
  const { code, err, value } = importing
  expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  expect(value).toMatchObject({
    kind: 'nestful',
    manifest: { counts: { kept: 8 } },
    references: { passed: 8, failed: [], unchecked: [] },
  })
  for (const setup of ['three-shot', 'tools']) {
    const report = await evaluated('--benchmark', imported, '--model', 'reference', '--setup', setup)
    expect(report.result.overall).toMatchObject({ passed: 8, scored: 8 })
    expect(measure(report, 'published', 'form', 'executable', 'API execution pass rate, mock (%)')).toBe(100)
    expect(measure(report, 'sound', 'form', 'version 2', 'Win rate')).toBe(1)
  }
})

test('a model’s answers are judged by both policies, and shown as Table 2', async () => {
  const report = await evaluated(
    '--benchmark',
    imported,
    '--model',
    'mine',
    '--setup',
    'one-shot',
    '--policy',
    'sound',
  )
  expect(report.result.overall).toMatchObject({ passed: 1, scored: 8 })
  // A fence is a parsing error to the released parser of Llama.
  expect(measure(report, 'published', 'all', 'all', 'Parsing errors')).toBe(8)
  expect(measure(report, 'published', 'all', 'all', 'Full sequence match')).toBe(0)
  const printout = await stateeval('report', report.evaluation)
  expect(printout.out).toContain('Partial sequence match')
  expect(printout.out).toMatch(/hallucinated api/)
  const tables = await stateeval('tables', report.evaluation, '--policy', 'sound', '--format', 'markdown')
  expect(tables.out).toContain('Table 2, sound')
  expect(tables.out).toContain('Error types by nesting depth: mine, one-shot')
  const csv = await stateeval('report', report.evaluation, '--format', 'csv')
  expect(csv.out.split('\n')[0]).toContain('sound_win')
})

test('cases whose gold text no released parser reads do not keep a model from being evaluated', async () => {
  const report = await evaluated('--benchmark', imported, '--model', 'mine', '--layout', 'toolace')
  expect(report.result.overall).toMatchObject({ scored: 8 })
})

test('stored samples are scored again by the other policy, as a fresh evaluation would be', async () => {
  const options = ['--setup', 'one-shot', '--benchmark', imported, '--model', 'mine']
  const fresh = await evaluated(...options, '--policy', 'published')
  const first = await evaluated(...options, '--policy', 'sound')
  const asked = endpoint.requests.length
  const { code, value } = await stateeval('rescore', first.evaluation, '--policy', 'published', '--json')
  expect(code).toBe(0)
  const again = value as Evaluated & { changes: object[]; comparison: { evaluations: { id: string }[] } }
  expect(JSON.stringify(again.result)).toBe(JSON.stringify(fresh.result))
  expect(again.comparison.evaluations.map(({ id }) => id)).toEqual([first.evaluation, again.evaluation])
  expect(again.changes).toContainEqual({ from: 'correct', to: 'no_calls', samples: ['math-zero#0'] })
  expect(endpoint.requests).toHaveLength(asked)
  const printout = await stateeval('rescore', first.evaluation)
  expect(printout.out).toContain('Verdicts that changed: 0 of 8 samples')
  const refused = await stateeval('rescore', first.evaluation, '--samples', '2')
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('set --samples to 1 or less')])
})

test('fresh cases are built, replayed, solved by calls and by a program, and compared in pairs', async () => {
  const folder = join(line.scratch, 'fresh')
  const keep = pickForRun(3, 6)
  const build = [
    'build',
    '--kind',
    'nestful',
    '--scenario',
    'session-service',
    ...['--programs', String(pickForRun(8, 16)), '--keep', String(keep), '--seed', '3'],
  ]
  expect(await stateeval(...build, '--out', folder)).toMatchObject({ code: 0 })
  const cases = await readFile(join(folder, 'cases.jsonl'), 'utf8')
  expect(cases.trim().split('\n')).toHaveLength(keep)
  const calls = await evaluated('--benchmark', folder, '--model', 'reference')
  expect(calls.result.overall).toMatchObject({ passed: keep, scored: keep })
  expect(measure(calls, 'sound', 'form', 'fresh', 'Win rate')).toBe(1)
  const programs = await evaluated('--benchmark', folder, '--model', 'reference', '--setup', 'program')
  expect(programs.result.overall).toMatchObject({ passed: keep, scored: keep })
  const pairs = await stateeval('compare', calls.evaluation, programs.evaluation)
  expect([pairs.code, pairs.out]).toEqual([0, expect.stringMatching(/McNemar|p /)])
  const mutants = await evaluated('--benchmark', folder, '--model', 'mutant', '--samples', '3')
  const { caught, survived, disputed } = mutants.result.mutation!
  expect(caught).toBeGreaterThan(survived)
  expect(disputed).toBe(0)
})

test('functions of a user run in the jail, whatever they do', async () => {
  const [data, code] = [join(line.scratch, 'python'), join(line.scratch, 'functions')]
  await cp(join(sample, 'v2'), join(data, 'v2'), { recursive: true })
  await mkdir(code)
  await writeFile(
    join(code, 'basic_functions.py'),
    [
      'def rectangle_area(length, width):\n    return length * width',
      'def subtract(a, b):\n    return a - b',
      'def divide(a, b):\n    return a / b',
      'def choose(n, r):\n    import no_such_module',
      'def gcd(a, b):\n    return 7',
      'def reminder(a, b):\n    open("/etc/shadow")',
      '',
    ].join('\n'),
  )
  await writeFile(
    join(code, 'py_code_file_1.py'),
    'def non_whitespace_substrings(text):\n    return text.split()\n\ndef count_words_from_sentences(sentences):\n    return {s: sentences.count(s) for s in sentences}\n',
  )
  const { value } = await stateeval('import', 'nestful', data, '--functions', code, '--no-check', '--json')
  const { result } = await evaluated('--benchmark', value.id as string, '--model', 'reference')
  const wins = Object.fromEntries(
    result.samples.map(({ case: id, score }) => [id, score!.policies!['sound']!.metrics]),
  )
  expect(wins['math-paint']).toMatchObject({ win: 1 })
  expect(wins['coding-words']).toMatchObject({ win: 1 })
  // A module that is missing says nothing of the answer; an error of the function loses the sample.
  expect(wins['math-teams']).toMatchObject({ not_run: 1 })
  expect(wins['math-zero']).toMatchObject({ win: 0 })
})
