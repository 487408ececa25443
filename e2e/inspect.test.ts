/**
 * Evaluations as logs of Inspect AI, read by its own package from PyPI: its schema, its reader, its converter
 * and its viewer. With STATEEVAL_LONG, as the package is installed first.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ReportResult, ReportRun } from '@stateeval/contracts'
import {
  type CommandLine,
  freePort,
  startCommandLine,
  startScriptedModel,
  stateeval,
  until,
} from '@stateeval/testkit'
import { conversations } from '../benchmarks/complexfuncbench/sample/index.ts'
import { longPythonTools } from '../scripts/python-tools.ts'

const tools = longPythonTools('inspect')
if (!tools.ok) console.log(`skipped: Inspect AI: ${tools.reason}`)
const withInspect = tools.ok ? test : test.skip
const bin = (name: string) => (tools.ok ? tools.bin(name) : name)

let line: CommandLine
let viewer: ChildProcess | undefined
beforeAll(async () => {
  if (tools.ok) line = await startCommandLine()
})
afterAll(async () => {
  viewer?.kill('SIGKILL')
  await line?.stop()
})

interface Evaluated {
  evaluation: string
  result: ReportResult
  run: ReportRun
}
interface Told {
  task: string
  model: string
  dataset: [string, string, number]
  epochs: number
  temperature: number | null
  metrics: Record<string, number>
  scored: [number, number, number]
  usage: Record<string, { input_tokens: number; output_tokens: number; total_cost?: number }>
  samples: {
    id: string
    epoch: number
    value: string | null
    verdict: string | null
    explanation: string | null
    error: string | null
    completion: string
    target: string
    roles: string[]
    calls: [string, object][]
    functions: string[]
    tokens: number
  }[]
  errors: string[]
  header: string
  converted: boolean
  summaries: number
}

async function printed<T>(...args: string[]): Promise<T> {
  const { code, err, value } = await stateeval(...args, '--json')
  expect([args, code, code === 0 ? '' : err]).toEqual([args, 0, ''])
  return value as T
}
const sampleFolder = join(import.meta.dirname, '../benchmarks/stateeval/sample')

/** Answers of up to four samples a case: where there is none, the sample has no score. */
async function answered(): Promise<Evaluated> {
  const lines = (await readFile(join(sampleFolder, 'answers.jsonl'), 'utf8')).trim().split('\n')
  const given = lines.filter((text) => {
    const { answer, expected } = JSON.parse(text) as { answer?: string; expected?: { verdict?: string } }
    // Which would take half a minute.
    return answer !== undefined && expected?.verdict !== 'timeout'
  })
  const file = join(line.scratch, 'answers.jsonl')
  await writeFile(file, given.join('\n'))
  return printed('evaluate', '--benchmark', sampleFolder, '--answers', file, '--partial', '--samples', '4')
}
async function asked(): Promise<Evaluated> {
  const { baseUrl } = endpoint
  const settings = {
    baseUrl,
    model: 'maker/model',
    parameters: { temperature: 0.25 },
    prices: { promptPerMillion: 2, completionPerMillion: 4 },
  }
  const file = join(line.scratch, 'model.json')
  await writeFile(file, JSON.stringify(settings))
  return printed(
    'evaluate',
    '--benchmark',
    sampleFolder,
    '--model',
    'mine',
    '--no-probe',
    '--model-file',
    file,
  )
}
/** Dialogues with tool calls. */
async function conversed(): Promise<Evaluated> {
  const folder = join(line.scratch, 'conversations')
  await mkdir(folder)
  await writeFile(join(folder, 'conversations.jsonl'), conversations)
  const { id } = await printed<{ id: string }>('import', 'complexfuncbench', folder, '--no-check')
  return printed('evaluate', '--benchmark', id, '--model', 'reference')
}
let endpoint: Awaited<ReturnType<typeof startScriptedModel>>

withInspect('Inspect validates, reads, converts and shows logs whose figures are the report’s', async () => {
  endpoint = await startScriptedModel(({ count }) =>
    count % 2 === 0 ? { say: 'no program' } : { say: '```javascript\nRESULT = {}\n```', finish: 'length' },
  )
  const evaluations = [await answered(), await asked(), await conversed()]
  await endpoint.close()
  const logs = join(line.scratch, 'logs')
  const files: string[] = []
  for (const { evaluation } of evaluations) {
    const options = ['--format', 'inspect', '--out', logs]
    const { out: file } = await printed<{ out: string }>('export', evaluation, ...options)
    // The same evaluation has the same bytes, also over HTTP.
    const response = await fetch(`${line.suite.urls['evaluation']!}/v1/evaluations/${evaluation}/inspect`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.text()).toBe(await readFile(file, 'utf8'))
    files.push(file)
  }
  const script = join(import.meta.dirname, '../scripts/inspect/read.py')
  const converted = join(line.scratch, 'converted')
  const output = execFileSync(bin('python'), [script, bin('inspect'), converted, ...files], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const told = JSON.parse(output.trim().split('\n').at(-1)!) as Told[]
  expect(told).toHaveLength(evaluations.length)
  told.forEach((log, at) => checkFigures(log, evaluations[at]!))

  const [answers, model, dialogues] = told as [Told, Told, Told]
  expect(answers.epochs).toBe(4)
  expect(answers.scored[1]).toBeGreaterThan(0)
  expect(new Set(answers.samples.map(({ value }) => value))).toEqual(new Set(['C', 'I', null]))
  for (const { target, explanation, value } of answers.samples) {
    expect(target).toContain('RESULT')
    expect(explanation === null).toBe(value === null)
  }
  expect(model).toMatchObject({ model: 'mine', temperature: 0.25 })
  const { usage } = evaluations[1]!.run
  expect(model.usage).toEqual({
    mine: {
      input_tokens: usage.promptTokens,
      output_tokens: usage.completionTokens,
      total_tokens: usage.promptTokens + usage.completionTokens,
      total_cost: evaluations[1]!.run.costUsd,
    },
  })
  const tokens = model.samples.reduce((sum, one) => sum + one.tokens, 0)
  expect(tokens).toBe(usage.promptTokens + usage.completionTokens)
  for (const { roles } of model.samples) expect(roles.at(-1)).toBe('assistant')
  for (const { roles, calls, functions } of dialogues.samples) {
    expect(calls.length).toBeGreaterThan(0)
    expect(functions).toEqual(calls.map(([name]) => name))
    expect(roles).toContain('tool')
  }
  await checkViewer(logs, evaluations)
})

/** What Inspect read is what the report says. */
function checkFigures(log: Told, { evaluation, result }: Evaluated): void {
  expect([log.errors, log.header, log.converted]).toEqual([[], evaluation.replace('_', ''), true])
  const { overall, notScored, samples, verdicts, digest } = result
  expect(log.metrics['accuracy']).toBe(overall.rate)
  expect(log.scored).toEqual([overall.scored, notScored, samples.length])
  expect(log.dataset[1]).toBe(`sha256:${digest}`)
  expect([log.summaries, log.samples.length]).toEqual([samples.length, samples.length])
  for (const [name, count] of Object.entries(verdicts)) expect(log.metrics[`verdict/${name}`]).toBe(count)
  const byKey = new Map(log.samples.map((one) => [`${one.id}/${one.epoch}`, one]))
  for (const { case: id, sample, score, notScored: reason = null } of samples)
    expect(byKey.get(`${id}/${sample + 1}`)).toMatchObject({
      value: score && (score.passed ? 'C' : 'I'),
      verdict: score?.verdict ?? null,
      error: reason,
    })
  const right = log.samples.filter(({ value }) => value === 'C').length
  expect(right).toBe(overall.passed)
}

/** The viewer lists the logs and opens one; a bundle holds them. */
async function checkViewer(logs: string, evaluations: readonly Evaluated[]): Promise<void> {
  const bundle = join(line.scratch, 'bundle')
  execFileSync(bin('inspect'), ['view', 'bundle', '--log-dir', logs, '--output-dir', bundle])
  const listing = JSON.parse(await readFile(join(bundle, 'logs/listing.json'), 'utf8')) as object
  expect(Object.keys(listing)).toHaveLength(evaluations.length)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  viewer = spawn(bin('inspect'), ['view', 'start', '--log-dir', logs, '--port', String(port)], {
    stdio: 'ignore',
    cwd: line.scratch,
  })
  const listed = await until(
    async () => {
      const response = await fetch(`${url}/api/logs`).catch(() => null)
      return response?.ok && ((await response.json()) as { files: { name: string; task: string }[] })
    },
    { everyMs: 200 },
  )
  const { files } = listed as { files: { name: string; task: string }[] }
  expect(files.map(({ task }) => task).sort()).toEqual(['complexfuncbench', 'stateeval', 'stateeval'])
  const opened = await fetch(`${url}/api/logs/${encodeURIComponent(files[0]!.name)}`)
  expect(((await opened.json()) as { samples: object[] }).samples.length).toBeGreaterThan(0)
  expect(await (await fetch(url)).text()).toContain('<title>Inspect View</title>')
}
