/**
 * An evaluation in a real MLflow server from PyPI: parameters, metrics by group, the dataset, artifacts, and
 * traces with assessments, read back over MLflow's own API; tracked twice, it is there once.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { evaluationOperations } from '@stateeval/contracts'
import { type CommandLine, freePort, startCommandLine, stateeval, until } from '@stateeval/testkit'
import { longPythonTools } from '../scripts/python-tools.ts'
import { buildPage } from './dashboard/browser.ts'

const tools = longPythonTools('tracking')
const testWithMlflow = tools.ok ? test : test.skip
if (!tools.ok) console.log(`skipped: MLflow: ${tools.reason}`)

let line: CommandLine
let server: ChildProcess
let url = ''
let folder = ''
let output = ''
beforeAll(async () => {
  if (!tools.ok) return
  await buildPage()
  folder = mkdtempSync(join(tmpdir(), 'stateeval-mlflow-'))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  server = spawn(
    tools.bin('mlflow'),
    [
      ...['server', '--host', '127.0.0.1', '--port', String(port), '--workers', '1'],
      ...[
        '--backend-store-uri',
        `sqlite:///${folder}/mlflow.db`,
        '--artifacts-destination',
        join(folder, 'files'),
      ],
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  )
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (data: Buffer) => (output += data.toString()))
  line = await startCommandLine()
  const isReady = async () => (await fetch(`${url}/health`).catch(() => null))?.ok
  await until(isReady, { withinMs: 300_000, everyMs: 200 }).catch((error: unknown) => {
    throw new Error(`MLflow did not start:\n${output}`, { cause: error })
  })
})
afterAll(async () => {
  delete process.env['STATEEVAL_MLFLOW_URL']
  // Its workers are of its process group.
  if (server?.pid !== undefined) process.kill(-server.pid, 'SIGKILL')
  await line?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function mlflow<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${url}/api/${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const text = await response.text()
  expect([path, response.ok ? '' : text]).toEqual([path, ''])
  return JSON.parse(text) as T
}
interface Tracked {
  experiment: string
  run: string
  traces: number
  metrics: number
}
async function printed<T>(...args: string[]): Promise<T> {
  const { code, err, value } = await stateeval(...args, '--json')
  expect([args, code, err]).toEqual([args, 0, ''])
  return value as T
}

testWithMlflow('everything of an evaluation is in MLflow, once, however often it is tracked', async () => {
  const base = line.suite.urls['evaluation']!
  const imported = await fetch(`${base}/v1/benchmarks/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(evaluationOperations.importBenchmark.example),
  })
  const { id: benchmark } = (await imported.json()) as { id: string }
  // By the setting, at the end of the command.
  process.env['STATEEVAL_MLFLOW_URL'] = url
  const evaluated = await stateeval(
    'evaluate',
    '--benchmark',
    benchmark,
    '--model',
    'reference',
    '--samples',
    '2',
  )
  expect([evaluated.code, evaluated.err]).toEqual([0, expect.stringContaining('Tracked as run')])
  const evaluation = /ev_[0-9a-z]+/.exec(evaluated.err)![0]
  const first = await printed<Tracked>('track', evaluation)
  const tracked = await printed<Tracked>('track', evaluation, '--mlflow', url)
  expect(tracked).toEqual(first)
  expect(tracked.traces).toBe(2)

  const found = await mlflow<{ runs: { info: { run_id: string; status: string } }[] }>(
    '2.0/mlflow/runs/search',
    {
      experiment_ids: [tracked.experiment],
    },
  )
  expect(found.runs.map(({ info }) => [info.run_id, info.status])).toEqual([[tracked.run, 'FINISHED']])
  type Pair = { key: string; value: string | number }
  const { run } = await mlflow<{
    run: {
      data: { params: Pair[]; metrics: Pair[]; tags: Pair[] }
      inputs: { dataset_inputs: { dataset: { name: string; digest: string; source: string } }[] }
    }
  }>(`2.0/mlflow/runs/get?run_id=${tracked.run}`)
  const valueOf = (pairs: Pair[], name: string) => pairs.find(({ key }) => key === name)?.value
  expect(valueOf(run.data.params, 'model')).toBe('reference')
  expect(valueOf(run.data.metrics, 'pass_rate')).toBe(1)
  expect(run.data.metrics.filter(({ key }) => key.startsWith('pass_rate/')).length).toBeGreaterThan(0)
  const history = await mlflow<{ metrics: unknown[] }>(
    `2.0/mlflow/metrics/get-history?run_id=${tracked.run}&metric_key=pass_rate`,
  )
  expect(history.metrics).toHaveLength(1)
  const [input, ...others] = run.inputs.dataset_inputs
  expect(others).toEqual([])
  const full = String(valueOf(run.data.params, 'digest'))
  expect(input!.dataset).toMatchObject({ name: 'stateeval', digest: full.slice(0, 36) })
  expect(JSON.parse(input!.dataset.source)).toEqual({ digest: full })

  const { files } = await mlflow<{ files: { path: string; file_size: number }[] }>(
    `2.0/mlflow/artifacts/list?run_id=${tracked.run}`,
  )
  expect(files.map(({ path }) => path).sort()).toEqual(
    ['report.html', 'report.json', 'report.txt', 'samples.csv', 'samples.jsonl'].sort(),
  )
  const search = await mlflow<{
    traces: { trace_id: string; response_preview?: string; assessments: { assessment_name: string }[] }[]
  }>('3.0/mlflow/traces/search', {
    locations: [{ type: 'MLFLOW_EXPERIMENT', mlflow_experiment: { experiment_id: tracked.experiment } }],
  })
  expect(search.traces).toHaveLength(2)
  for (const { trace_id: id, response_preview: response } of search.traces) {
    expect(response).toContain('RESULT')
    const { trace } = await mlflow<{ trace: { trace_info: (typeof search.traces)[number] } }>(
      `3.0/mlflow/traces/${id}`,
    )
    expect(trace.trace_info.assessments.map((one) => one.assessment_name).sort()).toEqual([
      'passed',
      'reward',
      'verdict',
    ])
  }
})

testWithMlflow('a server that is away is named, with what to do', async () => {
  const { code, err } = await stateeval('track', 'ev_0', '--mlflow', 'nonsense')
  expect([code, err]).toEqual([2, expect.any(String)])
})
