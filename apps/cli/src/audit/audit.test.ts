/** Which answers attempts are made on, and when an attempt counts as one that works. */
import { expect, test } from '@jest/globals'
import type { CheatingAttempt } from '@stateeval/attacks/attempts'
import type { ScoredSample } from '@stateeval/contracts'
import { ServiceError } from '@stateeval/client'
import fc from 'fast-check'
import { Failure } from '../command.ts'
import { JobFailure } from '../suite/watch.ts'
import { type AuditReport, explainNoReference, getAuditExitCode } from './audit.ts'
import { confirmDelays, delayRounds } from './delays.ts'
import { summarizeAttempts, findLeftovers, type TrialResult } from './outcome.ts'
import {
  type HonestCase,
  listHonestAnswers,
  selectScoredAnswers,
  planTrials,
  type AuditTrial,
} from './plan.ts'

const caseOf = (id: string, scenario: string): HonestCase => ({
  id,
  form: 'calls',
  scenario,
  answer: { answer: '[{"name":"add","label":"$var_1","arguments":{}}]' },
})
const attempt = (name: string, more: Partial<CheatingAttempt> = {}): CheatingAttempt => ({
  name,
  form: 'calls',
  turn: () => ({ answer: name }),
  ...more,
})
const result = (id: string, sample: number, passed: boolean | null, verdict = 'failed'): ScoredSample => ({
  case: id,
  sample,
  score: passed === null ? null : { passed, verdict: passed ? 'passed' : verdict, metrics: {}, evidence: { differences: [] } }, // oxfmt-ignore
})
const honest = (cases: readonly HonestCase[]) =>
  cases.flatMap(({ id }) => [result(id, 0, true), result(id, 1, false)])

const someCases = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 8 })
  .map((ids) => ids.map((id, at) => caseOf(id, at % 2 === 0 ? 'one' : 'two')))
const someAttempts = fc
  .integer({ min: 1, max: 30 })
  .map((count) =>
    Array.from({ length: count }, (_, n) => attempt(`a: ${n}`, n % 3 === 0 ? { scenarios: ['one'] } : {})),
  )

test('every attempt is made on so many answers, half of them wrong; no two have the same place', () => {
  fc.assert(
    fc.property(someCases, someAttempts, fc.integer({ min: 1, max: 6 }), (cases, attempts, samples) => {
      const { rounds, notTried } = planTrials(attempts, selectScoredAnswers(cases, honest(cases)), samples)
      expect(notTried).toEqual([])
      for (const round of rounds) {
        const places = round.map(({ given }) => `${given.case}/${given.sample}`)
        expect(new Set(places).size).toBe(places.length)
        for (const one of round) expect(one.given.case).toBe(one.honest.id)
      }
      for (const one of attempts) {
        const trials = rounds.flat().filter((trial) => trial.attempt === one)
        expect(trials).toHaveLength(samples)
        expect(trials.filter(({ honest: { passes } }) => passes)).toHaveLength(Math.floor(samples / 2))
        for (const trial of trials) expect(one.scenarios?.includes(trial.honest.scenario!) ?? true).toBe(true)
      }
    }),
  )
})

test('the wrong answers come from the reference, and only what was scored is attacked', () => {
  const cases = [caseOf('x', 'one'), caseOf('y', 'one')]
  expect(listHonestAnswers(cases).map(({ case: id, sample }) => [id, sample])).toEqual([
    ['x', 0],
    ['x', 1],
    ['x', 2],
    ['y', 0],
    ['y', 1],
    ['y', 2],
  ])
  const known = selectScoredAnswers(cases, [
    result('x', 0, true),
    result('x', 1, null),
    result('y', 1, false),
  ])
  expect(known.map(({ id, sample, passes }) => [id, sample, passes])).toEqual([
    ['x', 0, true],
    ['y', 1, false],
  ])
  const { notTried } = planTrials([attempt('a: x', { scenarios: ['three'] })], known, 2)
  expect(notTried).toEqual([{ name: 'a: x', why: 'no case of the benchmark is in three' }])
  const long = planTrials([attempt('a: y', { turn: () => ({ answer: 'x'.repeat(2_000_001) }) })], known, 2)
  expect(long).toMatchObject({
    rounds: [],
    notTried: [{ name: 'a: y', why: expect.stringContaining('/answer') }],
  })
})

test('many answers and large ones are spread over several evaluations', () => {
  const cases = [caseOf('x', 'one')]
  const known = selectScoredAnswers(cases, honest(cases))
  const many = planTrials([attempt('a: many')], known, 2500).rounds
  expect(many.map(({ length }) => length)).toEqual([1000, 1000, 500])
  const large = planTrials(
    [attempt('a: large', { turn: () => ({ answer: 'x'.repeat(1_900_000) }) })],
    known,
    20,
  )
  expect(large.rounds.map(({ length }) => length)).toEqual([8, 8, 4])
})

/** Results that keep the law: what was wrong fails, and everything is scored. */
const lawful = (trials: readonly AuditTrial[], passes: readonly boolean[]): TrialResult[] =>
  trials.map((trial, at) => ({
    trial,
    evaluation: 'ev_1',
    result: result(trial.given.case, trial.given.sample!, trial.honest.passes && passes[at % passes.length]!),
  }))

test('attempts hold while nothing wrong passes and everything is scored; one sample is enough to break it', () => {
  fc.assert(
    fc.property(
      someCases,
      someAttempts,
      fc.array(fc.boolean(), { minLength: 1 }),
      fc.nat(),
      (cases, attempts, passes, n) => {
        const trials = planTrials(attempts, selectScoredAnswers(cases, honest(cases)), 2).rounds.flat()
        const tried = lawful(trials, passes)
        expect(new Set(summarizeAttempts(tried).map(({ verdict }) => verdict))).toEqual(new Set(['held']))
        const at = n % tried.length
        const { trial } = tried[at]!
        const { case: id, sample } = trial.given
        const changed = (now: ScoredSample | undefined) =>
          summarizeAttempts(tried.with(at, { trial, evaluation: 'ev_1', ...(now && { result: now }) })).find(
            ({ name }) => name === trial.attempt.name,
          )!
        for (const now of [result(id, sample!, null), undefined])
          expect(changed(now)).toMatchObject({
            verdict: 'not scored',
            notScored: 1,
            evidence: [{ evaluation: 'ev_1', case: id, sample }],
          })
        const passing = changed(result(id, sample!, true))
        expect(passing.verdict).toBe(trial.honest.passes ? 'held' : 'scored more')
        expect(passing.evidence).toHaveLength(trial.honest.passes ? 0 : 1)
      },
    ),
  )
})

test('a wrong answer that passes counts although a right one failed for it', () => {
  const cases = [caseOf('x', 'one')]
  const trials = planTrials([attempt('a: swap')], selectScoredAnswers(cases, honest(cases)), 2).rounds.flat()
  const [outcome] = summarizeAttempts(
    trials.map((trial) => ({
      trial,
      evaluation: 'ev_1',
      result: result('x', trial.given.sample!, !trial.honest.passes),
    })),
  )
  expect(outcome).toMatchObject({ honest: 0.5, attacked: 0.5, verdict: 'scored more' })
})

test('what was left behind shows in the honest answers; a time limit is no such difference', () => {
  const before = honest([caseOf('x', 'one')])
  expect(findLeftovers(before, before)).toEqual([])
  const late = [result('x', 0, false, 'timeout'), result('x', 1, false)]
  expect(findLeftovers(before, late)).toEqual([])
  expect(findLeftovers(late, before)).toEqual([])
  expect(findLeftovers(before, [result('x', 0, false), result('x', 1, true)])).toEqual([
    { case: 'x', sample: 0, before: 'passed', after: 'failed' },
    { case: 'x', sample: 1, before: 'failed', after: 'passed' },
  ])
  expect(findLeftovers(before, [result('x', 0, true)])).toEqual([
    { case: 'x', sample: 1, before: 'failed', after: 'not scored' },
  ])
})

/** What makes honest answers late on a machine; time passes by one with each evaluation. */
interface SlowMachine {
  /** The attempts slow so many later evaluations. */
  slowed: number
  /** The machine is busy at these times. */
  busyAt: (time: number) => boolean
}

/** Runs the audit's sequence: honest answers, attempts, honest answers, and more of both if any are late. */
async function confirmOn({ slowed, busyAt }: SlowMachine) {
  let time = 0
  let attackedAt = -Infinity
  const counts = { honest: 0, attempts: 0 }
  const scoreHonest = async () => {
    counts.honest++
    time++
    const late = busyAt(time) || time - attackedAt <= slowed
    return [result('x', 0, !late, 'timeout'), result('x', 1, false)]
  }
  const repeatAttempts = async () => {
    counts.attempts++
    attackedAt = ++time
  }
  const before = await scoreHonest()
  await repeatAttempts()
  const after = await scoreHonest()
  return { delays: await confirmDelays(before, after, { scoreHonest, repeatAttempts }), counts }
}
const never = () => false
const oneDelay = [{ case: 'x', sample: 0, before: 'passed', after: 'timeout' }]

test('attempts that slow later runs are found each time, however long the effect lasts below the limit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), async (slowed) => {
      const { delays, counts } = await confirmOn({ slowed, busyAt: never })
      expect(delays).toEqual(oneDelay)
      expect(counts.attempts).toBe(delayRounds)
    }),
  )
  // Nothing is repeated without a reason.
  expect(await confirmOn({ slowed: 0, busyAt: never })).toEqual({
    delays: [],
    counts: { honest: 2, attempts: 1 },
  })
  // A machine that does not recover may also be a busy one.
  expect((await confirmOn({ slowed: 100, busyAt: never })).delays).toBeNull()
})

test('a busy machine is no leftover, whenever it begins and however long it lasts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      async (from, length) => {
        const busyAt = (time: number) => time >= from && time < from + length
        expect((await confirmOn({ slowed: 0, busyAt })).delays ?? []).toEqual([])
      },
    ),
  )
  // One that slows a run here and there is seldom taken for one: it must be busy at three certain times.
  const random = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 100, maxLength: 100 })
  const draws = fc.sample(random, { numRuns: 1000, seed: 1 })
  const found = await Promise.all(
    draws.map((draw) => confirmOn({ slowed: 0, busyAt: (time) => draw[time] === 0 })),
  )
  expect(found.filter(({ delays }) => delays?.length).length).toBeLessThan(10)
})

test('a reference that is refused, unreadable or failed excuses its way; no other error does', () => {
  const refusal = (status: number) =>
    new ServiceError({ type: 'about:blank', title: 'Refused', status, detail: 'the detail' })
  expect(explainNoReference(refusal(422))).toBe('the detail')
  expect(explainNoReference(refusal(403))).toBe('its reference cannot be read: the detail')
  expect(explainNoReference(new JobFailure('evaluation ev_1 failed: baseline', 'failed'))).toContain(
    'baseline',
  )
  for (const error of [
    refusal(500),
    new JobFailure('evaluation ev_1 was cancelled', 'cancelled'),
    new Failure('the connection failed'),
    new Error('it failed'),
  ])
    expect(explainNoReference(error)).toBeNull()
})

test('the exit code tells attempts that worked from a machine that was too busy', () => {
  const code = (passed: boolean, ...ways: { leftovers: number; isUndecided: boolean }[]) =>
    getAuditExitCode({
      ...{ benchmark: 'bm', digest: 'd', passed, notTried: [] },
      ways: ways.map(({ leftovers, isUndecided }): AuditReport['ways'][number] => ({
        ...{ way: 'default', attempts: [], isUndecided },
        evaluations: { reference: '', honest: '', attacked: [], after: '' },
        leftovers: Array.from({ length: leftovers }, () => oneDelay[0]!),
      })),
    })
  const clean = { leftovers: 0, isUndecided: false }
  expect(code(true, clean)).toBe(0)
  expect(code(false, clean, { leftovers: 0, isUndecided: true })).toBe(2)
  expect(code(false, { leftovers: 1, isUndecided: false }, { leftovers: 0, isUndecided: true })).toBe(1)
})
