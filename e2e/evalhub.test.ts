/**
 * A job of EvalHub, led by its real server from PyPI, is an evaluation of a running suite: with the provider
 * file and the adapter as they are published. With STATEEVAL_LONG, as the packages are installed first.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { EvaluationResource, Report } from '@stateeval/contracts'
import {
  type CommandLine,
  freePort,
  startCommandLine,
  startScriptedModel,
  stateeval,
  until,
} from '@stateeval/testkit'
import { longPythonTools } from '../scripts/python-tools.ts'

const tools = longPythonTools('evalhub')
if (!tools.ok) console.log(`skipped: EvalHub: ${tools.reason}`)
const withHub = tools.ok ? test : test.skip
const root = join(import.meta.dirname, '..')

let line: CommandLine
let hub: ChildProcess | undefined
let url = ''
let folder = ''
let output = ''
const jobFolders: string[] = []

beforeAll(async () => {
  if (!tools.ok) return
  line = await startCommandLine()
  folder = mkdtempSync(join(tmpdir(), 'stateeval-evalhub-'))
  mkdirSync(join(folder, 'providers'))
  const provider = readFileSync(join(root, 'deploy/evalhub/stateeval.yaml'), 'utf8')
  writeFileSync(join(folder, 'providers/stateeval.yaml'), provider)
  const port = await freePort()
  const config = {
    service: {
      ...{ host: '127.0.0.1', port, disable_auth: true },
      ...{ ready_file: join(folder, 'ready'), termination_file: join(folder, 'ended') },
    },
    database: { driver: 'sqlite', url: `file:${join(folder, 'hub.db')}` },
  }
  // JSON is YAML.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config))
  url = `http://127.0.0.1:${port}/api/v1`
  const bin = dirname(tools.bin('python'))
  hub = spawn(join(bin, 'eval-hub'), ['-local', '-configdir', folder], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      PYTHONPATH: join(root, 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      STATEEVAL_URL: line.suite.urls['evaluation'],
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [hub.stdout, hub.stderr])
    stream?.on('data', (data: Buffer) => (output += data.toString()))
  const isReady = async () => (await fetch(`${url}/evaluations/providers`).catch(() => null))?.ok
  await until(isReady, { everyMs: 100 }).catch((error: unknown) => {
    throw new Error(`EvalHub did not start:\n${output}`, { cause: error })
  })
})
afterAll(async () => {
  hub?.kill('SIGKILL')
  await line?.stop()
  for (const one of [folder, ...jobFolders]) if (one) rmSync(one, { recursive: true, force: true })
})

interface Job {
  resource: { id: string }
  status: { state: string; benchmarks?: { error_message?: { message: string } }[] }
  results: {
    benchmarks?: {
      metrics: Record<string, number>
      overall_score?: number
      additional_info: { evaluation: string; digest: string }
    }[]
  }
}

/** A job about one benchmark, when it has ended. */
async function ended(model: object, parameters: object): Promise<Job> {
  const benchmarks = [{ id: 'suite', provider_id: 'stateeval', parameters }]
  const response = await fetch(`${url}/evaluations/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'a job', model, benchmarks }),
  })
  const text = await response.text()
  expect([response.status, response.ok ? '' : text]).toEqual([202, ''])
  const { id } = (JSON.parse(text) as Job).resource
  jobFolders.push(join('/tmp/evalhub-jobs', id))
  const job = async () => {
    const one = (await (await fetch(`${url}/evaluations/jobs/${id}`)).json()) as Job
    return ['completed', 'failed', 'partially_failed'].includes(one.status.state) && one
  }
  return (await until(job, { withinMs: 300_000, everyMs: 200 })) as Job
}
const asked = async <T>(path: string): Promise<T> =>
  (await (await fetch(`${line.suite.urls['evaluation']!}${path}`)).json()) as T

withHub('jobs of the hub evaluate models, and the hub has the figures of their reports', async () => {
  const sample = join(root, 'benchmarks/stateeval/sample')
  const evaluated = await stateeval('evaluate', '--benchmark', sample, '--model', 'mutant', '--json')
  const { evaluation } = evaluated.value as { evaluation: string }
  const { benchmark } = await asked<EvaluationResource>(`/v1/evaluations/${evaluation}`)
  const endpoint = await startScriptedModel(() => ({ say: '```javascript\nRESULT = {}\n```' }))

  // A model of the suite, and one that only the hub knows.
  const samples = 2
  const mutant = await ended({ name: 'mutant', url: 'stateeval://suite' }, { benchmark, samples })
  const model = { name: 'maker/model', url: endpoint.baseUrl }
  const scripted = await ended(model, {
    benchmark,
    model_settings: { parameters: { temperature: 0.25 } },
  })
  await endpoint.close()
  expect(endpoint.requests.map(({ model, parameters }) => [model, parameters['temperature']])).toEqual(
    Array.from({ length: 4 }, () => ['maker/model', 0.25]),
  )
  for (const { status, results } of [mutant, scripted]) {
    expect([status.state, status.state === 'completed' ? '' : output]).toEqual(['completed', ''])
    const [told] = results.benchmarks!
    const report = await asked<Report>(`/v1/evaluations/${told!.additional_info.evaluation}/report`)
    const { overall, digest } = report.result
    expect(told!.metrics['pass_rate']).toBe(overall.rate)
    expect(told!.additional_info.digest).toBe(digest)
    for (const [group, all] of Object.entries(report.result.groups))
      for (const { name, rate } of all) expect(told!.metrics[`pass_rate/${group}/${name}`]).toBe(rate.rate)
  }
  expect(mutant.results.benchmarks![0]!.metrics).toMatchObject({
    mutation_score: expect.any(Number),
    pass_at_2: expect.any(Number),
  })

  // What is wrong is named in the hub.
  for (const [parameters, says] of [
    [{}, 'The parameter benchmark is missing.'],
    [{ benchmark: 'bm_0' }, 'there is no benchmark'],
    [{ benchmark, prompting: 'loud' }, 'prompting'],
    [{ benchmark, num_examples: 3 }, 'num_examples is not supported.'],
  ] as const) {
    const { status } = await ended({ name: 'reference', url: 'stateeval://suite' }, parameters)
    expect(status.state).toBe('failed')
    expect(status.benchmarks![0]!.error_message!.message).toContain(says)
  }
})
