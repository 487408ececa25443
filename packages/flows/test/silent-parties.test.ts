/**
 * A law for every benchmark that asks judges, embeddings models or live APIs about a candidate's words: where
 * they give no answer about these but answer the same question about other words, the sample is scored.
 */
import { describe, expect, test } from '@jest/globals'
import { benchmarksFor } from '@stateeval/benchmarks'
import type { BenchmarkCase, EpisodeOptions, SpeakerReply } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import fc from 'fast-check'
import { hereWith, sampleFiles } from '../../../benchmarks/complexfuncbench/test/here.ts'
import { dialogue } from '../../testkit/src/dialogue/benchmark.ts'
import { caseOf } from '../../testkit/src/dialogue/case.ts'
import { listReferenceReplies } from '../../testkit/src/dialogue/player.ts'
import '../../testkit/src/dialogue/register.ts'
import type { ItemAnswer, ItemNeed } from '../src/flow.ts'
import type { SampleContext } from '../src/sample.ts'
import { compared, done, fakeSessions, leadSample, modelAnswer, scoreOf } from './led.ts'

const options: EpisodeOptions & { seed: number } = { prompting: 'direct', seed: 1 }
const settings = { baseUrl: 'http://127.0.0.1:9/v1', model: 'x' }

interface Subject {
  benchmark: Benchmark
  case: BenchmarkCase
  replies: readonly SpeakerReply[]
}
function complexfuncbench(): Subject {
  const { benchmark, cases } = hereWith({ 'conversations.jsonl': sampleFiles['conversations.jsonl'] })
  const c = cases[0]!
  const player = benchmark.player(c, options)!
  const replies: SpeakerReply[] = []
  for (;;) {
    const messages = replies.map(({ text, toolCalls = [], finish }) => ({
      ...{ role: 'assistant' as const, content: text, finish },
      toolCalls: [...toolCalls],
    }))
    const reply = player({ role: 'model', messages })
    if (!reply) return { benchmark, case: c, replies }
    replies.push(reply)
  }
}
const subjects: Record<string, () => Subject> = {
  complexfuncbench,
  dialogue: () => ({ benchmark: dialogue(), case: caseOf(1), replies: listReferenceReplies(caseOf(1)) }),
}

test('every benchmark whose parties read words of a candidate is looked at', () => {
  const byKind = benchmarksFor({ scenario: () => undefined as never, artifact: () => undefined as never })
  const asks = (one: Benchmark) =>
    one.asking.consults?.(options).some(({ what }) => !what.startsWith('http:'))
  expect([...byKind.values()].filter(asks).map(({ kind }) => kind)).toEqual(Object.keys(subjects))
})

/** Stands in whatever the candidate says, so that questions about it are recognised. */
const mark = 'quetzal'
const marked = (value: unknown): unknown =>
  typeof value === 'string' ? `${value} ${mark}` : Array.isArray(value) ? value.map(marked) : value
/** A reply whose last words, or whose arguments, are not the reference's. */
const hostile = ({ text, toolCalls, ...reply }: SpeakerReply): SpeakerReply =>
  toolCalls
    ? {
        ...reply,
        text,
        toolCalls: toolCalls.map((call) => {
          const args = Object.entries(JSON.parse(call.arguments) as Record<string, unknown>)
          return {
            ...call,
            arguments: JSON.stringify(Object.fromEntries(args.map(([name, value]) => [name, marked(value)]))),
          }
        }),
      }
    : { ...reply, text: `${text} ${mark}` }

const silences = ['refused', 'failed'] as const
type Silence = (typeof silences)[number]
type Silences = Readonly<Record<string, Silence>>

async function lead({ benchmark, case: c, replies }: Subject, silenceOf: Silences) {
  const parts = benchmark.asking.consults!(options).map(({ what }) => what)
  const context: SampleContext = {
    ...{ benchmark, case: c, sample: 0, item: 'ev_1/samples/0000000', options },
    responder: { kind: 'given', replies },
    parties: Object.fromEntries(parts.map((part) => [part, { name: part, settings }])),
  }
  const sessions = fakeSessions()
  const silent = new Set<string>()
  const answer = (need: ItemNeed): ItemAnswer => {
    if (need.kind === 'session') return done(sessions.answer(need.payload))
    if (need.kind === 'score') return done(scoreOf(benchmark, need))
    if (need.kind !== 'ask' && need.kind !== 'compare') throw new Error(need.kind)
    const part = need.kind === 'compare' ? 'similar' : need.part!
    const silence = JSON.stringify(need.payload).includes(mark) ? silenceOf[part] : undefined
    if (silence) {
      silent.add(part)
      const refusal = { refused: silence === 'refused', reason: 'too long' }
      if (need.kind === 'ask') return { ok: false, ...refusal }
      const { ok, value } = compared([]) as ItemAnswer & { ok: true }
      return { ok, value: { ...(value as object), end: { silent: { key: 'k', ...refusal } } } }
    }
    if (need.kind === 'compare')
      return compared(need.payload.left.map(() => need.payload.right.map(() => 0.5)))
    return modelAnswer(
      part.startsWith('http:')
        ? '{"status":404,"body":"{}"}'
        : '{"is_equal": false, "score": 2, "reason": "so it is"}',
    )
  }
  const { out } = await leadSample(context, answer)
  return { ...out.scored, silent }
}

describe.each(Object.keys(subjects))('%s', (kind) => {
  const subject = subjects[kind]!()
  const parts = subject.benchmark.asking.consults!(options).map(({ what }) => what)

  test.each(parts.flatMap((part) => silences.map((silence) => [part, silence] as const)))(
    '%s, which is asked about the words and gives no answer: it %s',
    async (part, silence) => {
      // Words of one reply at a time: a dialogue that goes wrong early asks nothing later.
      let isAsked = false
      for (const at of subject.replies.keys()) {
        const replies = subject.replies.map((reply, n) => (n === at ? hostile(reply) : reply))
        const { score, notScored, silent } = await lead({ ...subject, replies }, { [part]: silence })
        isAsked ||= silent.has(part)
        expect([score?.verdict === 'infrastructure_error', notScored]).toEqual([false, undefined])
      }
      // The simulated user is told what to say, and hears nothing of the candidate.
      expect(isAsked).toBe(part !== 'user')
    },
  )

  test('in any combination', async () => {
    const how = fc.constantFrom(...silences)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: subject.replies.length, maxLength: subject.replies.length }),
        fc.dictionary(fc.constantFrom(...parts), how, { noNullPrototype: true }),
        async (changes, silent) => {
          const replies = subject.replies.map((reply, n) => (changes[n] ? hostile(reply) : reply))
          const { score, notScored } = await lead({ ...subject, replies }, silent)
          expect([score === null, notScored]).toEqual([false, undefined])
        },
      ),
      { numRuns: 60 },
    )
  })
})
