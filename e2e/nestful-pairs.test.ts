/**
 * The same fresh cases answered as calls and as programs, compared in pairs: by a scripted model on 200
 * cases, and by a small real model on as many as STATEEVAL_PAIRS says (12; each of its answers takes seconds
 * of a core). Its answers are kept beside it, so an interrupted run continues where it was. Part of the long
 * tests.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { benchmarksFor } from '@stateeval/benchmarks'
import type { Report, TaskCase } from '@stateeval/contracts'
import { getFirstAnswer, type Scenario } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { isLong, type ScriptedModel, startScriptedModel, startSuite, type Suite } from '@stateeval/testkit'
import { createProgram } from '../apps/cli/src/program.ts'
import { obtainSmallModel, type SmallModel } from './small-model/obtain.ts'

const pairs = Number(process.env['STATEEVAL_PAIRS'] ?? 12)
const smallModel: SmallModel = isLong
  ? await obtainSmallModel()
  : { ok: false, reason: 'it is part of the long tests' }
if (!smallModel.ok) console.log(`skipped: ${smallModel.reason}`)

let suite: Suite
let endpoint: ScriptedModel
let child: ChildProcess | undefined
let scratch = ''
/** By instruction: the reference's answers as calls and as a program. */
const answers = new Map<string, { calls: string; program: string }>()

beforeAll(async () => {
  if (!isLong) return
  suite = await startSuite()
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  process.env['STATEEVAL_URL'] = suite.urls['evaluation']
  process.env['STATEEVAL_TRACE_GENERATION_URL'] = suite.urls['trace-generation']
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-pairs-'))
  process.env['STATEEVAL_HOME'] = scratch
  let [asCalls, asPrograms] = [0, 0]
  // It knows the answers, and fails at every fourth list of calls and every third program.
  endpoint = await startScriptedModel(({ messages }) => {
    const text = messages.map(({ content }) => content).join('\n')
    const last = messages.at(-1)!.content
    const isProgram = text.includes('## Instruction')
    const answer = answers.get(
      isProgram ? (/## Instruction\n\n([^]*?)\n\n## /.exec(text)?.[1] ?? '') : last.trim(),
    )
    const fails = isProgram ? ++asPrograms % 3 === 0 : ++asCalls % 4 === 0
    return { say: fails || !answer ? 'I cannot do that.' : isProgram ? answer.program : answer.calls }
  })
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await suite?.stop()
  await endpoint?.close()
  if (scratch) await rm(scratch, { recursive: true, force: true })
})

async function stateeval(...args: string[]) {
  let [out, err] = ['', '']
  const streams = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  }
  const code = await createProgram(streams, new AbortController().signal)(args)
  expect([args[0], code, code === 0 ? '' : err]).toEqual([args[0], 0, ''])
  return out
}
const evaluated = async (...args: string[]) =>
  JSON.parse(await stateeval('evaluate', ...args, '--json')) as Report & { evaluation: string }

async function buildSet(keep: number, length = 5): Promise<string> {
  const folder = join(scratch, `fresh-${keep}-${length}`)
  const count = (length < 5 ? 4 : 2) * keep + 10
  const sizes = [
    '--programs',
    String(count),
    '--keep',
    String(keep),
    '--length',
    String(length),
    '--seed',
    '11',
  ]
  await stateeval('build', '--kind', 'nestful', '--scenario', 'session-service', ...sizes, '--out', folder)
  const kinds = benchmarksFor({ scenario: (id) => scenarios.find((one) => one.id === id) as Scenario })
  const nestful = kinds.get('nestful')!
  for (const line of (await readFile(join(folder, 'cases.jsonl'), 'utf8')).trim().split('\n')) {
    const c = nestful.parse(line) as TaskCase
    const answer = (setup: string) => getFirstAnswer(nestful.player(c, { prompting: 'direct', setup }))!
    answers.set(c.instruction.trim(), { calls: answer('zero-shot'), program: answer('program') })
  }
  return folder
}

async function compared(model: string, folder: string, setup: string): Promise<string> {
  const calls = await evaluated('--benchmark', folder, '--model', model, '--setup', setup)
  const programs = await evaluated('--benchmark', folder, '--model', model, '--setup', 'program')
  const table = await stateeval('compare', calls.evaluation, programs.evaluation)
  const rate = ({ result }: Report) => `${result.overall.passed}/${result.overall.scored}`
  process.stderr.write(`${model}: calls ${rate(calls)}, programs ${rate(programs)}\n${table}\n`)
  return table
}

;(isLong ? test : test.skip)('a scripted model on 200 cases', async () => {
  await stateeval('model', 'scripted', '--base-url', endpoint.baseUrl, '--model-id', 'scripted')
  expect(await compared('scripted', await buildSet(200), 'zero-shot')).toMatch(/McNemar/)
})
;(smallModel.ok ? test : test.skip)('a small real model', async () => {
  if (!smallModel.ok) return
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const server = join(import.meta.dirname, 'small-model/server.ts')
  const answerArgs = ['--threads', '1', '--answers', join(dirname(smallModel.gguf), 'answers.jsonl')]
  child = spawn(process.execPath, [server, smallModel.modules, smallModel.gguf, ...answerArgs], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child!.once('exit', (code) => reject(new Error(`the model’s server ended with ${code}`)))
    child!.stdout?.on('data', (text: Buffer) => {
      const at = /ready (\S+)/.exec(text.toString())?.[1]
      if (at) resolve(at)
    })
  })
  const settings = join(scratch, 'smollm2.json')
  const parameters = { temperature: 0, max_tokens: 128 }
  await writeFile(
    settings,
    JSON.stringify({
      baseUrl: url,
      model: 'SmolLM2-135M-Instruct',
      concurrency: 1,
      timeoutMs: 600_000,
      parameters,
    }),
  )
  await stateeval('model', 'smollm2', '--model-file', settings)
  // Short cases and an example: so small a model solves no others.
  expect(await compared('smollm2', await buildSet(pairs, 2), 'one-shot')).toMatch(/McNemar/)
})
