/** All kinds with cases and judgements, for the laws that every report and every judge keeps. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchmarksFor } from '@stateeval/benchmarks'
import type { BenchmarkCase, Score } from '@stateeval/contracts'
import { findScenario, scenarios } from '@stateeval/scenarios'
import { conversations } from '../complexfuncbench/sample/index.ts'
import { buildDocumentationCase as documentationCaseOf, formatDocumentationCase } from '../llm-only/case.ts'
import { generate, defaultOptions } from '@stateeval/generate'
import { sampleCases as nestfulCases } from '../nestful/test/sample.ts'
import type { NestfulCase } from '../nestful/case.ts'
import { imported } from '../stateeval-published/test/own.ts'
import { sampleCases as wapiiCases } from '../wapiibench/test/sample.ts'

const scenario = (id: string) => findScenario(id) ?? scenarios[0]!
export const byKind = benchmarksFor({ scenario, artifact: () => new Uint8Array() })
const filesIn = (folder: string, pattern: RegExp) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => pattern.test(path))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
const here = (path: string) => join(import.meta.dirname, '..', path)
export const publishedFiles = filesIn(here('stateeval-published/sample'), /\.jsonl?$/)

/** How a kind judges a sample, as far as its aggregation reads it. */
interface Judging {
  cases: readonly BenchmarkCase[]
  verdicts: readonly [pass: string, fail: string]
  policies?: readonly string[]
  metrics?: (c: BenchmarkCase, passed: boolean) => Record<string, number>
}
const [voice] = generate(scenario('elevenlabs-mcp'), { ...defaultOptions, count: 1 })
const nestfulMetrics = (c: BenchmarkCase, passed: boolean) => {
  const { task } = c as NestfulCase
  const one = passed ? 1 : 0
  return {
    ...{ partial: one, full: one, graph_partial: one, graph_full: one },
    ...(task.form === 'v1' && task.passable === true && { pass_mock: one }),
    ...((task.truth ?? task.gold) !== undefined && { win: one }),
  }
}
export const kinds: Record<string, Judging> = {
  stateeval: {
    cases: readFileSync(here('stateeval/sample/cases.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .slice(0, 12)
      .map((line) => byKind.get('stateeval')!.parse(line)),
    verdicts: ['passed', 'result_error'],
  },
  wapiibench: { cases: wapiiCases, verdicts: ['correct', 'wrong'], policies: ['published', 'sound'] },
  complexfuncbench: {
    cases: byKind.get('complexfuncbench')!.building!.fromDataset!({ 'some.jsonl': conversations }).lines.map(
      (line) => byKind.get('complexfuncbench')!.parse(line),
    ),
    verdicts: ['success', 'limit'],
    policies: ['published', 'sound', 'state'],
  },
  nestful: {
    cases: nestfulCases,
    verdicts: ['correct', 'wrong'],
    policies: ['published', 'sound'],
    metrics: nestfulMetrics,
  },
  'stateeval-published': {
    cases: imported(publishedFiles).cases,
    verdicts: ['passed', 'result_error'],
    policies: ['published', 'sound'],
    metrics: (_, passed) => ({ result: passed ? 1 : 0, state: 1 }),
  },
  'llm-only': {
    cases: [byKind.get('llm-only')!.parse(formatDocumentationCase(documentationCaseOf(voice!.program)))],
    verdicts: ['passed', byKind.get('llm-only')!.verdicts.at(-1)!],
  },
}

export const samplesOfCase = 3
export function scoreOf(
  { verdicts, policies, metrics }: Judging,
  c: BenchmarkCase,
  passed: boolean,
  first: boolean,
): Score {
  const judged = { passed, verdict: verdicts[passed ? 0 : 1], metrics: metrics?.(c, passed) ?? {} }
  return {
    ...judged,
    metrics: { ...judged.metrics, pass: passed ? 1 : 0 },
    evidence: { differences: [] },
    attempts: [first, passed].map((one) => ({ passed: one, verdict: verdicts[one ? 0 : 1] })),
    ...(policies && {
      policies: Object.fromEntries(policies.map((policy) => [policy, { ...judged, differences: [] }])),
    }),
  }
}
