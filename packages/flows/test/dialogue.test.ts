/**
 * Dialogues as the host leads them, in memory: who is asked what, what the record holds, and what a step
 * costs.
 */
import { expect, test } from '@jest/globals'
import type { Benchmark } from '@stateeval/program'
import type { JsonValue, SpeakerReply, EpisodeTransition } from '@stateeval/contracts'
import { partial } from '@stateeval/testkit/partial'
import { dialogue } from '../../../packages/testkit/src/dialogue/benchmark.ts'
import { caseOf } from '../../../packages/testkit/src/dialogue/case.ts'
import { listReferenceReplies } from '../../../packages/testkit/src/dialogue/player.ts'
import { readStateVersion } from '../src/dialogue.ts'
import type { ItemAnswer, ItemNeed } from '../src/flow.ts'
import type { Responder, SampleContext } from '../src/sample.ts'
import { modelAnswer, compared, done, fakeSessions, leadSample, scoreOf } from './led.ts'

const settings = { baseUrl: 'http://127.0.0.1:9/v1', model: 'x' }
const endpoint = (name: string) => ({ name, settings })
const parties = {
  'judge:quality': endpoint('judge'),
  user: endpoint('user'),
  similar: endpoint('vectors'),
  'http:facts': endpoint('facts'),
}
const benchmark: Benchmark = dialogue()
const contextOf = (responder: Responder, over: Partial<SampleContext> = {}): SampleContext => ({
  benchmark,
  case: caseOf(1),
  sample: 0,
  item: 'ev_1/samples/0000000',
  responder,
  parties,
  options: { prompting: 'direct', seed: 1 },
  ...over,
})

/** Everybody does what they should; `over` answers in their place. */
function everybody(over: (need: ItemNeed) => ItemAnswer | undefined = () => undefined) {
  const sessions = fakeSessions()
  const answer = (need: ItemNeed): ItemAnswer => {
    const other = over(need)
    if (other) return other
    switch (need.kind) {
      case 'session':
        return done(sessions.answer(need.payload))
      case 'ask':
        if (need.part === 'judge:quality') return modelAnswer('yes')
        if (need.part === 'user') return modelAnswer('And how many settings are there now?')
        return modelAnswer('{"status":200,"body":"{}"}')
      case 'compare':
        return compared([[0.5]])
      case 'score':
        return done(benchmark.score(need.payload))
      default:
        throw new Error(need.kind)
    }
  }
  return { answer, closed: sessions.closed }
}

test('the reference plays three turns with a world, a judge, a user, vectors and a live API', async () => {
  const { answer, closed } = everybody()
  const { out, needs } = await leadSample(contextOf({ kind: 'reference' }), answer)
  expect(out).toMatchObject({
    scored: {
      score: { passed: true, verdict: 'passed', reward: 1, metrics: { similarity: 0.5, live: 200 } },
    },
    usage: { requests: 0 },
    parties: {
      'judge:quality': { requests: 1 },
      user: { requests: 1 },
      similar: { requests: 2 },
      'http:facts': { requests: 1 },
    },
  })
  const kinds = needs.map((need) => (need.kind === 'session' ? need.payload.kind : need.kind))
  expect(kinds).toEqual([
    'open',
    'call',
    'call',
    'call',
    'ask',
    'call',
    'ask',
    'compare',
    'ask',
    'close',
    'score',
  ])
  // Two calls at once are one need; the next one stands behind them in the log.
  const calls = needs.flatMap((need) =>
    need.kind === 'session' && need.payload.kind === 'call' ? need.payload : [],
  )
  expect(calls.map((call) => [call.index, call.calls.length])).toEqual([
    [0, 2],
    [2, 1],
    [3, 1],
    [4, 1],
  ])
  expect(new Set(needs.flatMap((need) => (need.kind === 'session' ? need.payload.session : []))).size).toBe(1)
  expect(closed).toHaveLength(1)
})

test('ids that only the world knows are used by the reference; a judge is asked without a sample', async () => {
  const { answer } = everybody()
  const { out, needs } = await leadSample(
    contextOf({ kind: 'reference' }, { case: caseOf(2, { deletes: true }), sample: 3 }),
    answer,
  )
  expect(out.scored.score).toMatchObject({ passed: true })
  const judged = needs.find((need) => need.kind === 'ask' && need.part === 'judge:quality') as ItemNeed & {
    kind: 'ask'
  }
  expect(judged.payload.sample).toBeUndefined()
  const user = needs.find((need) => need.kind === 'ask' && need.part === 'user') as ItemNeed & { kind: 'ask' }
  expect(user.payload.sample).toBe(3)
})

test('answers from a file are a list of replies; a list that ends early is scored as far as it came', async () => {
  const replies = listReferenceReplies(caseOf(1))
  const all = await leadSample(contextOf({ kind: 'given', replies }), everybody().answer)
  expect(all.out.scored.score?.passed).toBe(true)
  const { answer, closed } = everybody()
  const part = await leadSample(contextOf({ kind: 'given', replies: replies.slice(0, 2) }), answer)
  expect(part.out.scored.score).toMatchObject({ passed: false, verdict: 'wrong_state' })
  expect(closed).toHaveLength(1)
  const none = await leadSample(contextOf({ kind: 'given', replies: [] }), everybody().answer)
  expect(none.out.scored).toMatchObject({ score: null, notScored: 'no answer was given' })
})

test('parts that nobody plays are told, and cost nothing', async () => {
  const { 'judge:quality': judge } = parties
  const { out, needs } = await leadSample(
    contextOf({ kind: 'reference' }, { parties: { 'judge:quality': judge } }),
    everybody().answer,
  )
  expect(out.scored.score).toMatchObject({ passed: true, metrics: { similarity: null, live: null } })
  expect(needs.filter(({ kind }) => kind === 'ask' || kind === 'compare')).toHaveLength(1)
})

test.each<[string, (need: ItemNeed) => ItemAnswer | undefined, string]>([
  [
    'refused',
    (need) =>
      need.kind === 'ask' && need.part === 'user'
        ? { ok: false, refused: true, reason: 'no key' }
        : undefined,
    'no key',
  ],
  [
    'failed',
    (need) =>
      need.kind === 'ask' && need.part === 'judge:quality'
        ? { ok: false, refused: false, reason: 'busy' }
        : undefined,
    'busy',
  ],
  [
    'away',
    (need) =>
      need.kind === 'session' && need.payload.kind === 'call'
        ? { ok: false, refused: false, reason: 'execution is away' }
        : undefined,
    'infrastructure error: execution is away',
  ],
])('a part that was %s leaves the sample without a score, and its session closed', async (_, over, says) => {
  const { answer, closed } = everybody(over)
  const { out } = await leadSample(contextOf({ kind: 'reference' }), answer)
  expect(out.scored).toMatchObject({ score: null, notScored: says })
  expect(closed).toHaveLength(1)
})

test('a session that ended by itself can still be observed', async () => {
  const ended = { kind: 'ended', ending: { status: 'timeout', limit: 'wall', afterMs: 1 } }
  const { answer } = everybody((need) =>
    need.kind === 'session' && need.payload.kind === 'call' ? done(ended) : undefined,
  )
  const { out } = await leadSample(contextOf({ kind: 'reference' }), answer)
  expect(out.scored.score).toMatchObject({ verdict: 'wrong_state' })
})

test('a step costs the same at turn 40 as at turn 2', async () => {
  const text = 'x'.repeat(2_000)
  const turns = 40
  const asking = (n: number): EpisodeTransition => ({
    state: n,
    need: {
      kind: 'reply',
      role: 'model',
      transcript: 0,
      append: [{ role: 'user', content: `${n} ${text}` }],
    },
  })
  const long = partial<Benchmark>({
    ...benchmark,
    episode: {
      start: () => asking(0),
      resume: (_: unknown, __: unknown, n: unknown): EpisodeTransition =>
        n === turns
          ? {
              done: { kind: 'dialogue', policy: null, inputs: [{ transcript: 0, run: null }], decisions: [] },
            }
          : asking((n as number) + 1),
    },
    score: () => ({ passed: true, verdict: 'passed', metrics: {}, evidence: { differences: [] } }),
  })
  const { costs } = await leadSample(
    contextOf({ kind: 'endpoint', ...endpoint('mine') }, { benchmark: long }),
    (need) => (need.kind === 'ask' ? modelAnswer(text) : done(scoreOf(long, need))),
  )
  const steps = costs.filter(({ need }) => need === 'ask')
  expect(steps).toHaveLength(turns + 1)
  for (const { carried, reads, writes, bytesWritten } of steps) {
    expect(reads).toBe(0)
    expect(writes).toBeLessThanOrEqual(1)
    expect(bytesWritten).toBeLessThan(24_000)
    expect(carried).toBeLessThan(24_000)
  }
  // A chunk is written every few turns, each entry once.
  const late = steps.slice(20).reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
  const early = steps.slice(0, 20).reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
  expect(late).toBeLessThan(1.3 * early + 20_000)
})

test('a state that is too large, and an episode that never ends, are faults of the benchmark', async () => {
  const broken = (state: JsonValue): Benchmark =>
    partial<Benchmark>({
      ...benchmark,
      episode: {
        start: () => ({ state, need: { kind: 'reply', role: 'model', transcript: 0, append: [] } }),
        resume: () => ({ state, need: { kind: 'reply', role: 'model', transcript: 0, append: [] } }),
      },
    })
  const replies: SpeakerReply[] = []
  const context = (state: JsonValue) => contextOf({ kind: 'given', replies }, { benchmark: broken(state) })
  await expect(leadSample(context('x'.repeat(70_000)), () => done(null))).rejects.toThrow(/65536 are allowed/)
  await expect(leadSample(context(0), () => done(null))).rejects.toThrow('does not end')
})

test('messages with a state whose record may hold events are for replicas that know those', () => {
  const event = { event: { kind: 'ended', ending: { status: 'timeout' } }, key: 'k' }
  const run = { run: { observations: [], runtime: 'r' } }
  const stateOf = (stored: string[], entries: unknown[]) => ({ step: 'play', log: { stored, entries } })
  const states = [null, { step: 'build' }, stateOf([], [run]), stateOf([], [run, event]), stateOf(['a'], [])]
  expect(states.map(readStateVersion)).toEqual([1, 1, 1, 4, 4])
})
