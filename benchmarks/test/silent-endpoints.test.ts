/**
 * Nothing that the endpoint did counts against a model: a sample whose endpoint falls silent, at any turn of
 * any kind, has no score, and the reason in one word. Behind the first turn of a dialogue two silences are
 * the model's own: it has outgrown the context, or there is no further reply.
 */
import { expect, test } from '@jest/globals'
import {
  type BenchmarkCase,
  type EpisodeOptions,
  type ExecutionResult,
  type UnmetNeed,
  unscoredReasons,
} from '@stateeval/contracts'
import { type Benchmark, runEpisode } from '@stateeval/program'
import { conversations } from '../complexfuncbench/sample/index.ts'
import { hereWith } from '../complexfuncbench/test/here.ts'
import { executeCalls } from '../nestful/test/drive.ts'
import { sampleBenchmark as nestful, sampleCases as nestfulCases } from '../nestful/test/sample.ts'
import { benchmark as stateeval, cases as programCases } from '../stateeval/test/cases.ts'
import { sampleBenchmark as wapiibench, sampleCases as wapiiCases } from '../wapiibench/test/sample.ts'
import { byKind, kinds } from './every-kind.ts'

interface AskedKind {
  benchmark: Benchmark
  cases: readonly BenchmarkCase[]
  options?: Partial<EpisodeOptions>
  /** The model is asked this often, or more. */
  turns: number
  /** A first answer after which it is asked again. */
  first?: string
}
const ofKind = (kind: string) => ({ benchmark: byKind.get(kind)!, cases: kinds[kind]!.cases, turns: 1 })
const programs = { benchmark: stateeval, cases: programCases(2) }
const dialogues = hereWith({ 'conversations.jsonl': conversations.split('\n').slice(0, 3).join('\n') })
const asked: Record<string, AskedKind> = {
  stateeval: { ...programs, options: { language: 'javascript' }, turns: 1 },
  'stateeval, reflect': {
    ...programs,
    options: { language: 'javascript', prompting: 'reflect', rounds: 2 },
    turns: 2,
    first: 'I do not know.',
  },
  'stateeval, tools': { ...programs, options: { mode: 'tools' }, turns: 2 },
  wapiibench: {
    benchmark: wapiibench,
    cases: wapiiCases,
    options: { language: 'javascript', documentation: 'none' },
    turns: 1,
  },
  complexfuncbench: { ...dialogues, turns: 2 },
  nestful: { benchmark: nestful, cases: nestfulCases, turns: 1 },
  'stateeval-published': { ...ofKind('stateeval-published'), options: { language: 'python' } },
  'llm-only': ofKind('llm-only'),
}
test('every kind is asked', () => {
  expect(new Set(Object.keys(asked).map((name) => name.split(',')[0]))).toEqual(new Set(byKind.keys()))
})

const unmetReasons = [
  ...['context', 'moderation', 'refused', 'failed', 'infrastructure', 'exhausted'],
  ...['not_configured', 'not_recorded'],
] as UnmetNeed['reason'][]
/** Silences that are the model's, once its endpoint has taken the first question. */
const ownSilences: ReadonlySet<string> = new Set(['context', 'exhausted'])

const result: ExecutionResult = {
  observations: [
    {
      ending: { status: 'threw', error: { name: 'Error', message: 'nothing runs here' } },
      ...{ world: null, log: [], output: '', faults: [], wallMs: 1, sandbox: 'prediction' },
    },
  ],
  runtime: 'here',
}

/** Answers as the reference does, until the endpoint falls silent before the given turn. */
async function answerUntil(
  kind: AskedKind,
  c: BenchmarkCase,
  turn: number,
  policy: string,
  silence: UnmetNeed,
) {
  const options: EpisodeOptions = { prompting: 'direct', ...kind.options, policy }
  const player = kind.benchmark.player(c, options)!
  let turns = 0
  let isFirst = true
  const led = await runEpisode(kind.benchmark.episode, c, options, {
    reply: (transcript) => {
      isFirst = !transcript.messages.some(({ role }) => role === 'assistant')
      if (turns++ === turn) return silence
      return turns === 1 && kind.first !== undefined
        ? { text: kind.first, finish: 'stop' }
        : player(transcript)
    },
    execute: () => result,
    executeCalls,
    session: (need) =>
      need.kind === 'open'
        ? { kind: 'opened', variables: {}, tools: [] }
        : { kind: 'called', results: need.calls.map(({ id }) => ({ id, content: '{}' })) },
    close: () => result,
  })
  return { ...led, turns, isFirst }
}

test.each(Object.entries(asked))('%s: an endpoint that falls silent', async (_, kind) => {
  const { benchmark, cases } = kind
  let longest = 0
  for (const c of cases.slice(0, 4))
    for (const policy of benchmark.policies)
      for (const reason of unmetReasons)
        for (let turn = 0; turn < 4; turn++) {
          const silence: UnmetNeed = { kind: 'unavailable', reason, detail: `so it is: ${reason}` }
          const { notScored, candidate, turns, isFirst } = await answerUntil(kind, c, turn, policy, silence)
          // The dialogue was over before.
          if (turns <= turn) break
          longest = Math.max(longest, turns)
          const isScored = !isFirst && ownSilences.has(reason)
          const label = [c.id, policy, turn, reason]
          expect([...label, notScored?.reason]).toEqual([...label, isScored ? undefined : reason])
          // Without a further reply, a dialogue may have all calls that it needs.
          if (!isScored || reason === 'exhausted') continue
          const { passed } = benchmark.score({ case: c, candidate, policy })
          expect([...label, passed]).toEqual([...label, false])
        }
  expect(longest).toBeGreaterThanOrEqual(kind.turns)
})

test('every reason of a silence is one of the words that reports count by', () => {
  expect(unmetReasons.filter((reason) => !(reason in unscoredReasons))).toEqual([])
})
