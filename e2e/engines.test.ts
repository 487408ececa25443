/**
 * Two real engines with one small model: a probe, and evaluations from the build to the report, by command.
 * What the model scores hardly matters; what the probe says of each engine must be true. Several minutes of
 * two cores: part of the long tests.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ProbeFinding, FindingId, Model, Report } from '@stateeval/contracts'
import { isLong, type CommandLine, startCommandLine, stateeval } from '@stateeval/testkit'
import { callerAt } from '../services/evaluation/test/over-http.ts'
import { type SmallEndpoint, startLlamaServer, startSmallModel } from './small-model/endpoint.ts'
import { obtainLlamaServer, obtainSmallModel } from './small-model/obtain.ts'

const skipped = { ok: false, reason: 'it is part of the long tests' } as const

interface RealEngine {
  name: string
  /** Why it cannot run here; null if it can. */
  lacks: string | null
  start: () => Promise<SmallEndpoint>
  dialect?: string
  /** What is true of the engine. A slow machine may leave any of these unknown, but `usage`. */
  facts: Partial<Record<FindingId, string>>
}

const small = isLong ? await obtainSmallModel() : skipped
const server = isLong ? await obtainLlamaServer() : skipped
const engines: readonly RealEngine[] = [
  {
    name: 'node-llama-cpp',
    lacks: small.ok ? null : small.reason,
    // Beside the suite, more threads wait for each other busily.
    start: () => startSmallModel(small as Extract<typeof small, { ok: true }>, ['--threads', '1']),
    // Its endpoint reads messages, tools, max_tokens and temperature, and nothing else.
    facts: {
      usage: 'yes',
      leftovers: 'no',
      thoughts: 'no',
      streaming: 'no ignored',
      maxTokens: 'yes',
      maxCompletionTokens: 'no ignored',
      tools: 'yes',
      callIds: 'yes',
      callTypes: 'yes',
      parallelCalls: 'no one by one',
      temperature: 'yes',
    },
  },
  {
    name: 'llama.cpp',
    lacks: server.ok ? null : server.reason,
    start: () => startLlamaServer(server as Extract<typeof server, { ok: true }>),
    dialect: 'llama.cpp',
    facts: {
      usage: 'yes',
      leftovers: 'no',
      thoughts: 'no',
      streaming: 'yes',
      streamUsage: 'yes',
      streamOptions: 'yes',
      maxTokens: 'yes',
      maxCompletionTokens: 'yes',
      jsonSchema: 'yes',
      contextLength: 'yes 8192',
      temperature: 'yes',
      seed: 'yes',
    },
  },
]
for (const { name, lacks } of engines) if (lacks !== null) console.log(`${name} is skipped: ${lacks}`)
const available = engines.filter(({ lacks }) => lacks === null)

let line: CommandLine
let set: string
const started: SmallEndpoint[] = []
const caller = callerAt(() => line.suite.urls['evaluation']!)

beforeAll(async () => {
  if (available.length === 0) return
  line = await startCommandLine()
  set = (
    await caller.buildSet({
      ...{ scenario: 'session-service', programs: 2, keep: 2, seed: 4, length: 2, controlFlow: false },
    })
  ).id
})
afterAll(async () => {
  for (const one of started) one.stop()
  await line?.stop()
})

const shown = (finding: ProbeFinding) =>
  [finding.found, ...(finding.found === 'unknown' ? [] : [finding.how, finding.value])]
    .filter(Boolean)
    .join(' ')

// Without an engine there is nothing to run, and Jest refuses an empty table.
const each = available.length > 0 ? test.each(available) : test.skip.each(engines)
each('$name is probed, and evaluated by programs and by tools', async ({ name, start, dialect, facts }) => {
  const endpoint = await start()
  started.push(endpoint)
  await caller.model(name, {
    ...{ baseUrl: endpoint.baseUrl, model: 'SmolLM2-135M-Instruct', concurrency: 1, timeoutMs: 600_000 },
    ...(dialect && { dialect }),
    parameters: { temperature: 0, max_tokens: 120 },
  })
  const probed = await stateeval('model', name, '--probe')
  console.log(probed.out)
  expect([probed.code, probed.err]).toEqual([0, expect.anything()])
  const { probe } = await caller.get<Model>(`/v1/models/${name}`)
  const findings = new Map(probe!.findings.map((finding) => [finding.id, finding]))
  for (const [id, fact] of Object.entries(facts) as [FindingId, string][]) {
    const finding = findings.get(id)!
    const isSlow = finding.found === 'unknown' && id !== 'usage'
    if (!isSlow) expect([id, shown(finding)]).toEqual([id, fact])
  }
  // Of what the table does not name, nothing is said to be off without a rejection or a visible fault.
  for (const finding of findings.values())
    if (finding.found === 'no') expect(finding.how ?? facts[finding.id]).toBeDefined()

  for (const options of [
    ['--documentation', 'relevant'],
    ['--mode', 'tools', '--limits', 'turns=2'],
  ]) {
    const args = ['--benchmark', set, '--model', name, ...options, '--json']
    const { code, err, value } = await stateeval('evaluate', ...args)
    expect([code, code === 0 ? '' : err]).toEqual([0, ''])
    const { result, run } = value as Report
    console.log(
      JSON.stringify({ name, options, verdicts: result.verdicts, usage: run.usage, wallMs: run.wallMs }),
    )
    expect(result.overall.scored).toBe(2)
    expect(result.notScored).toBe(0)
    expect(run.usage.requests).toBeGreaterThanOrEqual(2)
    expect(run.usage.completionTokens).toBeGreaterThan(4)
    expect(run.usage.estimated ?? 0).toBe(0)
  }
})
