/**
 * An evaluation as an offline run of Weights & Biases, written by its package from PyPI and read back. With
 * STATEEVAL_LONG, as the package is installed first.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ReportResult } from '@stateeval/contracts'
import { type CommandLine, startCommandLine, stateeval } from '@stateeval/testkit'
import { longPythonTools } from '../scripts/python-tools.ts'

const tools = longPythonTools('wandb')
if (!tools.ok) console.log(`skipped: Weights & Biases: ${tools.reason}`)
const withWandb = tools.ok ? test : test.skip
const root = join(import.meta.dirname, '..')

let line: CommandLine
let folder = ''
beforeAll(async () => {
  if (!tools.ok) return
  line = await startCommandLine()
  folder = mkdtempSync(join(tmpdir(), 'stateeval-wandb-'))
})
afterAll(async () => {
  await line?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

interface Found {
  run: [string, string, string[]]
  config: Record<string, unknown>
  summary: Record<string, number>
  artifacts: string[]
  tables: { samples: Record<string, unknown>[]; groups: Record<string, unknown>[] }
}

/** Python with the client, of this suite; what wandb keeps stays in the folder. */
async function python(...args: string[]) {
  if (!tools.ok) throw new Error(tools.reason)
  const own = Object.fromEntries(
    ['DATA', 'CACHE', 'CONFIG', 'ARTIFACT'].map((name) => [`WANDB_${name}_DIR`, join(folder, 'own')]),
  )
  const env = {
    ...{ ...process.env, ...own, PYTHONDONTWRITEBYTECODE: '1' },
    PYTHONPATH: join(root, 'clients/python/src'),
    STATEEVAL_URL: line.suite.urls['evaluation'],
  }
  const options = { cwd: folder, env, maxBuffer: 2 ** 26 }
  return promisify(execFile)(tools.bin('python'), args, options).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  )
}

withWandb('an offline run holds the options, figures, samples and report of an evaluation', async () => {
  const sample = join(root, 'benchmarks/stateeval/sample')
  const evaluated = await stateeval(
    ...['evaluate', '--benchmark', sample, '--model', 'mutant', '--samples', '2', '--json'],
  )
  const { evaluation, result } = evaluated.value as { evaluation: string; result: ReportResult }
  const options = ['--project', 'nightly', '--offline']
  const tracked = await python('-m', 'stateeval.wandb', evaluation, ...options)
  expect(tracked).toMatchObject({ code: 0, stdout: expect.stringContaining(`Tracked as run ${evaluation}`) })
  const read = await python(join(root, 'scripts/wandb/read.py'), folder)
  expect([read.code, read.stderr]).toEqual([0, ''])
  const found = JSON.parse(read.stdout) as Found
  expect(found.run).toEqual([evaluation, 'nightly', ['stateeval', 'stateeval']])
  const { digest, overall, mutation, verdicts, version } = result
  expect(found.config).toMatchObject({ digest, version, model: 'mutant', kind: 'stateeval', samples: 2 })
  expect(found.summary).toMatchObject({
    pass_rate: overall.rate,
    scored: overall.scored,
    mutation_score: mutation!.score,
    ...Object.fromEntries(Object.entries(verdicts).map(([name, count]) => [`verdict/${name}`, count])),
  })
  expect(found.artifacts).toContain('report')
  const { samples, groups } = found.tables
  expect(samples.map((one) => [one['case'], one['sample'], one['verdict']])).toEqual(
    result.samples.map(({ case: id, sample, score }) => [id, sample, score?.verdict]),
  )
  for (const { answer } of samples) expect(answer).toContain('RESULT')
  expect(groups).toHaveLength(Object.values(result.groups).flat().length)

  const refused = await python('-m', 'stateeval.wandb', 'ev_0', ...options)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('there is no evaluation')])
})
