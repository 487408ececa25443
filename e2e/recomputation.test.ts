/**
 * Every figure of a report, computed again from its exported samples by a script that shares nothing with
 * this code: recomputation/recompute.py follows the papers and the released evaluators. With STATEEVAL_LONG.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { benchmarks } from '@stateeval/benchmarks'
import type { BenchmarkCase, BenchmarkResource, Message } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import {
  isLong,
  type CommandLine,
  type Script,
  type ScriptedRequest,
  startCommandLine,
  startScriptedModel,
  stateeval,
} from '@stateeval/testkit'
import { conversations } from '../benchmarks/complexfuncbench/sample/index.ts'
import { hereWith } from '../benchmarks/complexfuncbench/test/here.ts'
import { callerAt } from '../services/evaluation/test/over-http.ts'

const host = { scenario: (id: string) => scenarios.find((one) => one.id === id)! }
const kinds = benchmarks.map((make) => make(host))
const ofKind = (kind: string) => kinds.find((one) => one.kind === kind)!
const root = join(import.meta.dirname, '..')
const script = join(import.meta.dirname, 'recomputation/recompute.py')
const published = process.env['STATEEVAL_DATASETS'] ?? ''

let line: CommandLine
const caller = callerAt(() => line.suite.urls['evaluation']!)
beforeAll(async () => {
  if (isLong) line = await startCommandLine()
})
afterAll(() => line?.stop())

interface PlannedReport {
  benchmark: Pick<Benchmark, 'player'>
  set: () => Promise<string>
  options?: Record<string, string>
  samples?: number
}
const build = { scenario: 'session-service', programs: 12, keep: 8, seed: 4 }
const files = { 'conversations.jsonl': conversations }
const folderSet = (folder: string) => async () => {
  const path = join(root, 'benchmarks', folder, 'sample')
  const { value } = await stateeval('evaluate', '--benchmark', path, '--model', 'reference', '--json')
  return (await caller.get<{ benchmark: string }>(`/v1/evaluations/${value.evaluation}`)).benchmark
}
const publishedSet = (kind: string) => async () =>
  (await stateeval('import', kind, join(published, kind), '--no-check', '--json')).value.id as string
const conversationSet = async () => {
  const path = '/v1/benchmarks/datasets'
  return (await caller.call<BenchmarkResource>('POST', path, { kind: 'complexfuncbench', files })).body.id
}
const [stateevalKind, wapiibench, nestful] = ['stateeval', 'wapiibench', 'nestful'].map(ofKind) as [
  Benchmark,
  Benchmark,
  Benchmark,
]
const plans: Record<string, PlannedReport> = {
  'stateeval, programs': {
    benchmark: stateevalKind,
    set: async () => (await caller.buildSet(build)).id,
    samples: 3,
  },
  'stateeval, tools': {
    benchmark: stateevalKind,
    set: async () => (await caller.buildSet({ ...build, seed: 5 })).id,
    options: { mode: 'tools' },
    samples: 2,
  },
  'wapiibench, the sample': { benchmark: wapiibench, set: folderSet('wapiibench'), samples: 3 },
  complexfuncbench: {
    benchmark: hereWith(files).benchmark,
    set: conversationSet,
    samples: 2,
  },
  'nestful, the sample': { benchmark: nestful, set: folderSet('nestful'), samples: 3 },
  'nestful, fresh': {
    benchmark: nestful,
    set: async () => (await caller.buildSet({ ...build, seed: 6 }, { kind: 'nestful' })).id,
    samples: 2,
  },
  ...(existsSync(join(published, 'wapiibench')) && {
    'wapiibench, as published': { benchmark: wapiibench, set: publishedSet('wapiibench') },
  }),
  ...(existsSync(join(published, 'nestful')) && {
    'nestful, as published': { benchmark: nestful, set: publishedSet('nestful') },
  }),
}

/** What happens to the reference's reply; several are left as they are. */
const faults: readonly ((text: string) => Script)[] = [
  (text) => ({ say: text }),
  (text) => ({ say: text.replace(/\d+/, (digits) => String(Number(digits) + 1)) }),
  (text) => ({ say: text }),
  () => ({ say: 'I cannot do that.' }),
  (text) => ({ say: text.slice(0, text.length / 2), finish: 'length' }),
  (text) => ({ say: text.replace(/(['"])([a-z_]+)\1(?=:)/, '$1other$1') }),
  () => ({ status: 400, message: 'this prompt is blocked', code: 'content_filter' }),
  (text) => ({ say: text.replace(/(['"])[A-Za-z][^'"]*\1(?=[,})\]])/, '$1else$1') }),
  (text) => ({ say: text }),
]

/** Answers like the reference, and of every sample of a case in another way. */
function replies(
  { benchmark, options }: PlannedReport,
  cases: readonly BenchmarkCase[],
  { messages, count }: ScriptedRequest,
): Script {
  const last = (text: string) => cases.findLastIndex((one) => text.includes(one.instruction.trim()))
  const n = last(messages.flatMap(({ role, content }) => (role === 'tool' ? [] : [content])).join('\n'))
  const reply =
    cases[n] &&
    benchmark.player(cases[n], { prompting: 'direct', ...options })?.({
      role: 'model',
      messages: messages as Message[],
    })
  if (!reply) return { say: 'There is no such task.' }
  const { text, finish, toolCalls } = reply
  const turn = messages.filter(({ role }) => role === 'assistant').length
  // Of a dialogue at most one reply, or nothing would be left of its right path.
  const isFaulty = turn === n % 4 || (turn === 0 && !toolCalls?.length)
  const fault = isFaulty ? faults[(n * 5 + count) % faults.length]! : faults[0]!
  if (!toolCalls?.length) {
    const said = fault(text)
    return 'say' in said && !said.finish && finish ? { ...said, finish } : said
  }
  const changed = toolCalls.map((call) => ({ call, said: fault(call.arguments) }))
  const refused = changed.find(({ said }) => !('say' in said))
  if (refused) return refused.said
  return {
    say: text,
    toolCalls: changed.map(({ call, said }) => ({
      name: call.name,
      arguments: 'say' in said ? said.say : call.arguments,
    })),
  }
}

const perReport = (isLong ? test : test.skip).each(Object.entries(plans))
perReport('%s: every figure follows from the exported samples', async (name, plan) => {
  const set = await plan.set()
  const cases = await caller.cases(set)
  const model = await startScriptedModel((request) => replies(plan, cases, request))
  try {
    await caller.model('mine', { baseUrl: model.baseUrl, model: name, retries: 0 })
    const { id } = await caller.begin({
      ...{ benchmark: set, model: 'mine', samples: plan.samples ?? 1 },
      ...plan.options,
    })
    const ended = await caller.ended(id)
    expect([ended.status, ended.error]).toEqual(['succeeded', undefined])
    const { result } = await caller.report(id)
    const samples = await caller.call('GET', `/v1/evaluations/${id}/export?format=jsonl`)
    const paths = ['report.json', 'samples.jsonl', 'cases.json'].map((file) => join(line.scratch, file))
    await writeFile(paths[0]!, JSON.stringify(result))
    await writeFile(paths[1]!, samples.text)
    await writeFile(paths[2]!, JSON.stringify(cases))
    const output = execFileSync('python3', [script, ...paths], { encoding: 'utf8' })
    const { figures, wrong } = JSON.parse(output) as { figures: number; wrong: string[] }
    if (process.env['STATEEVAL_SHOW'] === '1')
      console.info(name, { figures, samples: result.samples.length, verdicts: result.verdicts })
    expect(wrong).toEqual([])
    expect(figures).toBeGreaterThan(30)
    // It is a test only if the answers differ.
    expect(result.overall.rate).toBeGreaterThan(0)
    expect(result.overall.rate).toBeLessThan(1)
  } finally {
    await model.close()
  }
})
