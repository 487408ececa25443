/**
 * What `export` writes, read by those who read such files: DuckDB, pyarrow and the library datasets. With
 * STATEEVAL_LONG, as the environment takes a minute to make; tests of packages/tables read the same forms.
 */
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type CommandLine, startCommandLine, stateeval } from '@stateeval/testkit'
import { pythonTools } from '../scripts/python-tools.ts'

jest.setTimeout(600_000)
const isLong = process.env['STATEEVAL_LONG'] === '1'
const tools = isLong ? pythonTools('data') : { ok: false as const, reason: 'scripts/test --long does it' }
if (isLong && !tools.ok) console.warn(`exports are not read by Python: ${tools.reason}`)
const withPython = tools.ok ? test : test.skip

let line: CommandLine
beforeAll(async () => {
  if (tools.ok) line = await startCommandLine()
}, 300_000)
afterAll(() => line?.stop())

interface Found {
  columns: Record<string, string>
  metadata: Record<string, string>
  parquet: [string, number][]
  csv: [string, number][]
  jsonl: [string, number][]
  reports: [string, number, number][]
  features: string[]
  cases: string[]
  lines: string
  card: string
}

withPython(
  'DuckDB, pyarrow and datasets read what is exported; a dataset is a benchmark folder',
  async () => {
    const folder = join(import.meta.dirname, '../benchmarks/stateeval/sample')
    const evaluated = async (model: string) =>
      (await stateeval('evaluate', '--benchmark', folder, '--model', model, '--json')).value as {
        evaluation: string
        result: {
          digest: string
          verdicts: Record<string, number>
          overall: { rate: number; scored: number }
        }
      }
    const { evaluation, result } = await evaluated('mutant')
    const { result: reference } = await evaluated('reference')
    const { value } = await stateeval('list', 'evaluations', '--json')
    const benchmark = (value as { benchmark: string }[])[0]!.benchmark
    const path = (name: string) => join(line.scratch, name)
    const written = async (what: string, format: string, name: string, ...more: string[]) => {
      const options = ['--format', format, '--out', path(name), ...more]
      expect(await stateeval('export', what, ...options)).toMatchObject({ code: 0 })
      return path(name)
    }
    const files = [
      await written(evaluation, 'parquet', 'samples.parquet'),
      await written(evaluation, 'csv', 'samples.csv'),
      await written(evaluation, 'jsonl', 'samples.jsonl'),
      await written('reports', 'parquet', 'reports.parquet'),
      await written(benchmark, 'dataset', 'dataset', '--licence', 'apache-2.0'),
    ]
    const { bin } = tools as Extract<typeof tools, { ok: true }>
    const env = { ...process.env, HF_HOME: path('hf'), HF_HUB_OFFLINE: '1' }
    const script = join(import.meta.dirname, '../scripts/data/read.py')
    const output = execFileSync(bin('python'), [script, ...files], { env, encoding: 'utf8' })
    const found = JSON.parse(output.trim().split('\n').at(-1)!) as Found
    const verdicts = Object.entries(result.verdicts).filter(([, count]) => count > 0)
    for (const form of ['parquet', 'csv', 'jsonl'] as const)
      expect(Object.fromEntries(found[form])).toEqual(Object.fromEntries(verdicts))
    expect(found.columns).toMatchObject({
      passed: 'bool',
      sample: 'int64',
      reward: 'double',
      metrics: 'string',
    })
    expect(found.metadata).toMatchObject({ 'stateeval.digest': result.digest })
    expect(found.reports).toEqual([
      ['mutant', result.overall.rate, result.overall.scored],
      ['reference', reference.overall.rate, reference.overall.scored],
    ])
    expect([found.card, found.features]).toEqual(['cases', expect.arrayContaining(['instruction', 'line'])])
    expect(found.lines).toBe(await readFile(join(folder, 'cases.jsonl'), 'utf8'))
    const card = await readFile(path('dataset/README.md'), 'utf8')
    expect(card).toContain('license: "apache-2.0"')
    expect(card).toContain(result.digest)

    // Imported back, it is the same benchmark.
    await stateeval('delete', benchmark, '--yes')
    const again = await stateeval(
      'evaluate',
      '--benchmark',
      path('dataset'),
      '--model',
      'reference',
      '--json',
    )
    expect([again.code, (again.value as { result: { digest: string } }).result.digest]).toEqual([
      0,
      result.digest,
    ])
  },
)
