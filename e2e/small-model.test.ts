/**
 * A real language model, offline: it negotiates instructions, answers a benchmark, and is reported on. Its
 * score hardly matters, its honest failures do. A minute's work for the suite, several for the model: part of
 * the long tests.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ComparisonResource, Review, SampleAnswer } from '@stateeval/contracts'
import { scenarios } from '@stateeval/scenarios'
import { isLong, type Servers, startServers, startSuite, type Suite } from '@stateeval/testkit'
import { translate } from '@stateeval/translate'
import type { PaperExhibit } from '@stateeval/program/presentation'
import { createProgram } from '../apps/cli/src/program.ts'
import { callerAt } from '../services/evaluation/test/over-http.ts'
import { obtainSmallModel, type SmallModel } from './small-model/obtain.ts'

const smallModel: SmallModel = isLong
  ? await obtainSmallModel()
  : { ok: false, reason: 'it is part of the long tests' }
if (!smallModel.ok) console.log(`skipped: ${smallModel.reason}`)
const when = smallModel.ok ? test : test.skip

let servers: Servers
let suite: Suite
let child: ChildProcess
const caller = callerAt(() => suite.urls['evaluation']!)

async function startModel({ gguf, modules }: { gguf: string; modules: string }): Promise<string> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const server = join(import.meta.dirname, 'small-model/server.ts')
  // More threads wait for each other busily: beside the suite they are many times slower than one.
  const args = [server, '--threads', '1', modules, gguf]
  child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the model’s server ended with ${code}`)))
    child.stdout?.on('data', (text: Buffer) => {
      const url = /ready (\S+)/.exec(text.toString())?.[1]
      if (url) resolve(url)
    })
  })
}

beforeAll(async () => {
  if (!smallModel.ok) return
  servers = await startServers()
  suite = await startSuite({ servers })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  const baseUrl = await startModel(smallModel)
  const model = { baseUrl, model: 'SmolLM2-135M-Instruct', concurrency: 1, timeoutMs: 600_000 }
  await caller.model('smollm2', { ...model, parameters: { temperature: 0, max_tokens: 300 } })
  // For what needs many answers, whatever they are.
  await caller.model('smollm2-brief', { ...model, parameters: { temperature: 0, max_tokens: 40 } })
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await suite?.stop()
  await servers?.stop()
})

when('SmolLM2-135M translates with agents, is evaluated and reported on', async () => {
  const build = { scenario: 'session-service', programs: 2, keep: 2, seed: 4, length: 3, controlFlow: false }
  const agents = { generator: 'smollm2', rounds: 2, tries: 1 }
  const set = await caller.buildSet({ ...build, translator: 'agents', agents })
  const reviews = (await caller.get<{ items: Review[] }>(`/v1/benchmarks/${set.id}/reviews`)).items
  console.log(
    `the build ${set.status}${set.error ? `: ${set.error}` : ''}\n${reviews.map(({ status, reason }) => `${status}: ${reason}`).join('\n')}`,
  )
  // Every program has an ending, with its dialogue; what is not verified is in no set.
  expect(reviews).toHaveLength(2)
  for (const { status, dialogue, reason } of reviews) {
    expect(dialogue.length).toBeGreaterThanOrEqual(2)
    if (status !== 'verified') expect(reason).toBeTruthy()
  }
  const verified = reviews.filter(({ status }) => status === 'verified').length
  expect(set.manifest?.counts.kept ?? 0).toBe(verified)

  // A person writes what the model could not say.
  const plain = await caller.buildSet(build)
  for (const { program } of await caller.cases(plain.id)) {
    const instruction = translate({ program, scenario: scenarios[0]!, seed: 1 })
    if (instruction.status !== 'verified') throw new Error(instruction.reason)
    const name = reviews.find((review) => review.program === program.id)!.case
    const decision = {
      decision: 'edit',
      instruction: instruction.instruction,
      by: 'test',
      because: 'the model did not manage',
    }
    expect((await caller.call('POST', `/v1/benchmarks/${set.id}/reviews/${name}`, decision)).status).toBe(200)
  }
  const reviewed = (await caller.call<{ id: string }>('POST', `/v1/benchmarks/${set.id}/reviewed`)).body
  const evaluation = await caller.ended(
    (await caller.begin({ benchmark: reviewed.id, model: 'smollm2', samples: 2, documentation: 'relevant' }))
      .id,
  )
  expect(evaluation).toMatchObject({ status: 'succeeded', counts: { samples: 4, scored: 4, notScored: 0 } })
  const { result, run } = await caller.report(evaluation.id)
  console.log(
    JSON.stringify({
      overall: result.overall,
      verdicts: result.verdicts,
      rootCauses: result.rootCauses,
      usage: run.usage,
      wallMs: run.wallMs,
    }),
  )
  expect(Object.values(result.verdicts).reduce((sum, count) => sum + count, 0)).toBe(4)
  expect(run.usage).toMatchObject({ requests: 4 })
  expect(run.usage.completionTokens).toBeGreaterThan(4)
})

when(
  'stateeval paper shows SmolLM2-135M in each table and figure, also as the LLM-only baseline',
  async () => {
    process.env['STATEEVAL_URL'] = suite.urls['evaluation']
    process.env['STATEEVAL_TRACE_GENERATION_URL'] = suite.urls['trace-generation']
    let out = ''
    const streams = {
      stdout: { write: (text: string) => (out += text) },
      stderr: { write: (text: string) => console.log(text) },
    }
    const models = ['--models', 'reference,smollm2-brief', '--baseline-model', 'smollm2-brief']
    const size = ['--scenarios', 'session-service', '--programs', '1', '--keep', '1', '--repeats', '1']
    const run = createProgram(streams, new AbortController().signal)
    expect(await run(['paper', ...models, ...size, '--json'])).toBe(0)
    const { exhibits } = JSON.parse(out) as { exhibits: PaperExhibit[] }
    expect(exhibits.map(({ id }) => id)).toEqual(['fig3', '1', '2', 'fig4', 'fig5', 'rq5'])
    const rowOf = (id: string, name: string) =>
      exhibits.find((one) => one.id === id)!.tables[0]!.rows.find(([head]) => head === name)!
    console.log(
      JSON.stringify(exhibits.map(({ id, tables, notes }) => ({ id, rows: tables[0]!.rows, notes }))),
    )
    expect(rowOf('fig3', 'llm-only smollm2-brief').length).toBeGreaterThan(1)
    expect(rowOf('2', 'smollm2-brief').slice(0, 2)).toEqual(['smollm2-brief', 'SmolLM2-135M-Instruct'])
    expect(Number(rowOf('2', 'smollm2-brief')[5])).toBeGreaterThan(4)
    expect(rowOf('fig4', 'reference')[1]).toBe('100.0 % (1/1)')
    expect(rowOf('fig4', 'smollm2-brief')[1]).toMatch(/^\d+\.\d % \(\d\/1\)$/)
  },
)

when('SmolLM2-135M writes programs and calls tools on the same cases, paired in a comparison', async () => {
  const { id: benchmark } = await caller.buildSet({
    scenario: 'session-service',
    programs: 2,
    keep: 2,
    seed: 4,
    length: 2,
    controlFlow: false,
  })
  const run = async (options: object) => {
    const { id } = await caller.begin({ benchmark, model: 'smollm2', ...options })
    expect(await caller.ended(id)).toMatchObject({ status: 'succeeded', counts: { scored: 2, notScored: 0 } })
    return id
  }
  const evaluations = [
    await run({ documentation: 'relevant' }),
    await run({ mode: 'tools', limits: { turns: 3 } }),
  ]
  const { status, body } = await caller.call<ComparisonResource>('POST', '/v1/comparisons', { evaluations })
  console.log(JSON.stringify({ ...body, links: undefined }))
  expect(status).toBe(201)
  expect(body.comparison.pairs).toMatchObject([{ cases: 2, test: 'mcnemar' }])
  const [programs, tools] = body.evaluations
  expect(programs?.effort?.requests).toBe(2)
  expect(tools?.effort?.requests).toBeGreaterThanOrEqual(2)
  expect(tools?.measures).toMatchObject({ Samples: 2 })
  const { items } = await caller.get<{ items: SampleAnswer[] }>(`/v1/evaluations/${evaluations[1]}/answers`)
  const messages = items.flatMap(({ transcripts = [] }) => transcripts.flatMap((one) => one.messages))
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []))
  console.log(JSON.stringify(calls))
  expect(calls.length).toBeGreaterThan(0)
})
