/** All kinds with cases that can be asked in this process, for the laws of answers. */
import type { BenchmarkCase, EpisodeOptions } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import { conversations } from '../complexfuncbench/sample/index.ts'
import { hereWith } from '../complexfuncbench/test/here.ts'
import { sampleBenchmark as nestful, sampleCases as nestfulCases } from '../nestful/test/sample.ts'
import { benchmark as stateeval, cases as programCases } from '../stateeval/test/cases.ts'
import { sampleBenchmark as wapiibench, sampleCases as wapiiCases } from '../wapiibench/test/sample.ts'
import { byKind, kinds } from './every-kind.ts'

export interface AskedKind {
  benchmark: Benchmark
  cases: readonly BenchmarkCase[]
  options?: Partial<EpisodeOptions>
}
const ofKind = (kind: string) => ({ benchmark: byKind.get(kind)!, cases: kinds[kind]!.cases })
export const askedKinds = {
  stateeval: { benchmark: stateeval, cases: programCases(4), options: { language: 'javascript' } },
  'stateeval-published': { ...ofKind('stateeval-published'), options: { language: 'python' } },
  wapiibench: {
    benchmark: wapiibench,
    cases: wapiiCases,
    options: { language: 'javascript', documentation: 'none' },
  },
  complexfuncbench: hereWith({ 'conversations.jsonl': conversations.split('\n').slice(0, 6).join('\n') }),
  nestful: { benchmark: nestful, cases: nestfulCases },
  'llm-only': ofKind('llm-only'),
} satisfies Record<string, AskedKind>
