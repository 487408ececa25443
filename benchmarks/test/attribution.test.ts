/**
 * Nothing that the endpoint did counts against a model, and nothing that the model did leaves its rate. A
 * sample whose endpoint falls silent, at any turn of any kind, has no score, and the reason in one word.
 * Behind the first turn of a dialogue two silences are the model's own: it has outgrown the context, or there
 * is no further reply. A call with broken arguments is always scored.
 */
import { expect, test } from '@jest/globals'
import {
  type BenchmarkCase,
  type EpisodeOptions,
  type ExecutionResult,
  type JsonObject,
  type SpeakerReply,
  type UnmetNeed,
  unscoredReasons,
} from '@stateeval/contracts'
import { runEpisode } from '@stateeval/program'
import { executeCalls } from '../nestful/test/drive.ts'
import { type AskedKind, askedKinds } from './asked-kinds.ts'
import { byKind } from './every-kind.ts'

interface SilencedKind extends AskedKind {
  /** The model is asked this often, or more. */
  turns: number
  /** A first answer after which it is asked again. */
  first?: string
}
const { stateeval, nestful, complexfuncbench, ...others } = askedKinds
const programs = { ...stateeval, cases: stateeval.cases.slice(0, 2) }
const asked: Record<string, SilencedKind> = {
  stateeval: { ...programs, turns: 1 },
  'stateeval, reflect': {
    ...programs,
    options: { language: 'javascript', prompting: 'reflect', rounds: 2 },
    turns: 2,
    first: 'I do not know.',
  },
  'stateeval, tools': { ...programs, options: { mode: 'tools' }, turns: 2 },
  complexfuncbench: { ...complexfuncbench, cases: complexfuncbench.cases.slice(0, 3), turns: 2 },
  nestful: { ...nestful, turns: 1 },
  'nestful, tools': { ...nestful, options: { setup: 'tools' }, turns: 1 },
  ...Object.fromEntries(Object.entries(others).map(([name, kind]) => [name, { ...kind, turns: 1 }])),
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

/** Answers as the reference does, but at the given turn. */
async function answerWith(
  kind: SilencedKind,
  { c, policy, turn }: { c: BenchmarkCase; policy: string; turn: number },
  replace: (reply: SpeakerReply | null) => SpeakerReply | UnmetNeed | null,
) {
  const options: EpisodeOptions = { prompting: 'direct', ...kind.options, policy }
  const player = kind.benchmark.player(c, options)
  if (!player) return null
  let turns = 0
  let isFirst = true
  const led = await runEpisode(kind.benchmark.episode, c, options, {
    reply: (transcript) => {
      isFirst = !transcript.messages.some(({ role }) => role === 'assistant')
      const reply =
        turns === 0 && kind.first !== undefined ? { text: kind.first, finish: 'stop' } : player(transcript)
      return turns++ === turn ? replace(reply) : reply
    },
    execute: () => result,
    executeCalls,
    session: (need) =>
      need.kind === 'open'
        ? { kind: 'opened', variables: need.input.variables as JsonObject, tools: [] }
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
          const led = await answerWith(kind, { c, policy, turn }, () => silence)
          // The dialogue was over before.
          if (!led || led.turns <= turn) break
          const { notScored, candidate, turns, isFirst } = led
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

const brokenArguments = [
  '',
  'no JSON',
  '[1]',
  'null',
  '7',
  '{"a": ',
  '{"a": 1}}',
  "{'a': 1}",
  '"{}"',
  '\u0000',
]
const withTools = Object.entries(asked).filter(([name]) =>
  ['stateeval, tools', 'complexfuncbench', 'nestful, tools'].includes(name),
)
test.each(withTools)('%s: a call with broken arguments is scored', async (_, kind) => {
  let calls = 0
  for (const c of kind.cases.slice(0, 4))
    for (const policy of kind.benchmark.policies)
      for (const turn of [0, 1])
        for (const broken of brokenArguments) {
          const led = await answerWith(kind, { c, policy, turn }, (reply) => {
            const [call, ...others] = reply?.toolCalls ?? []
            if (!reply || !call) return reply
            calls++
            return { ...reply, toolCalls: [{ ...call, arguments: broken }, ...others] }
          })
          if (!led || led.turns <= turn) continue
          const label = [c.id, policy, turn, broken]
          expect([...label, led.notScored]).toEqual([...label, undefined])
          const { verdict } = kind.benchmark.score({ case: c, candidate: led.candidate, policy })
          expect([...label, verdict]).not.toEqual([...label, 'infrastructure_error'])
        }
  expect(calls).toBeGreaterThanOrEqual(brokenArguments.length)
})
