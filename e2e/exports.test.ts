/**
 * What `export` writes, read by those who read such files: DuckDB, pyarrow and the library datasets. With
 * STATEEVAL_LONG, as the environment takes a minute to make; tests of packages/tables read the same forms.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ReportResult } from '@stateeval/contracts'
import { isLong, type CommandLine, startCommandLine, startScriptedModel, stateeval } from '@stateeval/testkit'
import { conversations } from '../benchmarks/complexfuncbench/sample/index.ts'
import { longPythonTools } from '../scripts/python-tools.ts'

const tools = longPythonTools('data')
if (isLong && !tools.ok) console.warn(`exports are not read by Python: ${tools.reason}`)
const withPython = tools.ok ? test : test.skip

const records = longPythonTools('records')
if (isLong && !records.ok) console.warn(`records are not validated by every_eval_ever: ${records.reason}`)
const withRecords = records.ok ? test : test.skip

let line: CommandLine
beforeAll(async () => {
  if (tools.ok || records.ok) line = await startCommandLine()
})
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

interface EvalRecord {
  evaluation_id: string
  evaluation_results: {
    evaluation_result_id: string
    score_details: { score: number; uncertainty: object }
  }[]
  detailed_evaluation_results: { checksum: string; total_rows: number }
}
interface SampleRecord {
  evaluation_id: string
  evaluation_result_id: string
  sample_id: string
  interaction_type: string
  output: { raw: string[] } | null
  messages: { tool_calls?: { name: string }[] }[] | null
  evaluation: { score: number; is_correct: boolean; tool_calls_count: number }
  metadata: { sample: string; verdict: string }
}

/** The samples of a record: those with a score, each as the report has it. */
function checkSamples(record: EvalRecord, { samples }: ReportResult, text: string): void {
  const lines = text.trim().split('\n')
  const told = lines.map((one) => JSON.parse(one) as SampleRecord)
  const checksum = createHash('sha256').update(text).digest('hex')
  expect(record.detailed_evaluation_results).toMatchObject({ checksum, total_rows: lines.length })
  const [rate] = record.evaluation_results
  for (const one of told)
    expect(one).toMatchObject({
      evaluation_id: record.evaluation_id,
      evaluation_result_id: rate!.evaluation_result_id,
    })
  expect(told.map((one) => [one.sample_id, Number(one.metadata.sample), one.metadata.verdict])).toEqual(
    samples.flatMap(({ case: id, sample, score }) => (score ? [[id, sample, score.verdict]] : [])),
  )
  expect(told.reduce((sum, one) => sum + one.evaluation.score, 0) / told.length).toBeCloseTo(
    rate!.score_details.score,
    5,
  )
  for (const { interaction_type: type, output, messages, evaluation } of told) {
    const calls = messages?.flatMap(({ tool_calls: some = [] }) => some) ?? []
    expect(evaluation.tool_calls_count).toBe(calls.length)
    expect([output === null, messages === null]).toEqual(
      type === 'single_turn' ? [false, true] : [true, false],
    )
    if (type === 'agentic') expect(calls.length).toBeGreaterThan(0)
  }
}

withRecords('every_eval_ever validates the records of reports and of their samples', async () => {
  const { bin } = records as Extract<typeof records, { ok: true }>
  const endpoint = await startScriptedModel(() => ({ say: 'no program' }))
  const parameters = { temperature: 0.2, max_tokens: 100 }
  await writeFile(
    join(line.scratch, 'model.json'),
    JSON.stringify({ baseUrl: endpoint.baseUrl, model: 'maker/model', parameters }),
  )
  const folder = join(line.scratch, 'conversations')
  await mkdir(folder)
  await writeFile(join(folder, 'conversations.jsonl'), conversations)
  const imported = await stateeval('import', 'complexfuncbench', folder, '--no-check', '--json')
  const files: string[] = []
  for (const [kind, ...model] of [
    ['complexfuncbench', '--model', 'reference'],
    ['stateeval', '--model', 'mine', '--model-file', join(line.scratch, 'model.json'), '--samples', '2'],
    ['stateeval', '--model', 'mutant'],
    ['wapiibench', '--model', 'reference'],
    ['nestful', '--model', 'reference'],
  ] as const) {
    const set =
      kind === 'complexfuncbench'
        ? (imported.value as { id: string }).id
        : join(import.meta.dirname, `../benchmarks/${kind}/sample`)
    const { code, value } = await stateeval('evaluate', '--benchmark', set, ...model, '--json')
    expect(code).toBe(0)
    const { evaluation, result } = value as { evaluation: string; result: ReportResult }
    // Where a collection has it; the validator wants that.
    const id = (model as readonly string[]).includes('mine') ? 'maker/model' : `unknown/${model[1]}`
    const folderOfRecord = join(line.scratch, `data/stateeval_${kind}/${id}`)
    await mkdir(folderOfRecord, { recursive: true })
    const file = join(folderOfRecord, `${randomUUID()}.json`)
    const options = ['--format', 'every-eval-ever', '--organization', 'A lab', '--samples', '--out', file]
    expect(await stateeval('export', evaluation, ...options)).toMatchObject({ code: 0 })
    const record = JSON.parse(await readFile(file, 'utf8')) as EvalRecord
    const [rate] = record.evaluation_results
    const [lower, upper] = result.overall.interval!
    expect(rate?.score_details).toMatchObject({
      score: result.overall.rate,
      uncertainty: { confidence_interval: { lower, upper, confidence_level: 0.95 } },
    })
    const samples = file.replace('.json', '_samples.jsonl')
    checkSamples(record, result, await readFile(samples, 'utf8'))
    files.push(file, samples)
  }
  await endpoint.close()
  const args = ['validate', '--format', 'json', ...files.map((file) => relative(line.scratch, file))]
  const { stdout } = spawnSync(bin('every_eval_ever'), args, { cwd: line.scratch, encoding: 'utf8' })
  // It warns, too: of a model whose maker nobody named.
  const reports = JSON.parse(stdout) as { valid: boolean; errors: object[] }[]
  expect(reports).toEqual(files.map(() => expect.objectContaining({ valid: true, errors: [] })))
})
