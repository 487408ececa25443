/** The flows as state machines: answers in, states and needs out. */
import { expect, test } from '@jest/globals'
import type { Case, ExecutionRequest, ExecutionResult } from '@stateeval/contracts'
import { type BenchmarkBuild, emit, getFirstAnswer } from '@stateeval/program'
import { withStableIds } from '../../../benchmarks/stateeval/build/stable-ids.ts'
import { type ProgramFlowContext, programFlow } from '../src/program-flow.ts'
import type { SuiteFlow, ItemAnswer, ItemNeed } from '../src/flow.ts'
import { sampleFlow } from '../src/sample-flow.ts'
import type { SampleContext, SampleOutcome, SampleState } from '../src/sample.ts'
import { benchmark, executor, programsOf, scenario } from './fakes.ts'
import { codeOf, done, scoreOf } from './led.ts'

const programs = programsOf(4)
const execute = executor(programs)
const fulfil = (need: ItemNeed): ItemAnswer => {
  switch (need.kind) {
    case 'execute':
      return done(execute(codeOf(need)))
    case 'score':
      return done(scoreOf(benchmark, need))
    case 'translate':
      return done({ status: 'verified', instruction: 'do it' })
    case 'ask':
      return done({
        text: need.payload.messages[0]?.content ?? '',
        finish: 'stop',
        usage: { requests: 1, promptTokens: 2, completionTokens: 3 },
      })
    case 'session':
    case 'compare':
    case 'generate':
      throw new Error(`${need.kind} is none of these needs`)
  }
}

/** Samples whose entries travel with their states. */
const samples: SuiteFlow<SampleContext, SampleState, SampleOutcome> = {
  start: (context) => sampleFlow.start(context),
  resume: (state, answer, context) => sampleFlow.resume(state, answer, context, state.log.entries),
  need: (state, context) => sampleFlow.need(state, context, state.log.entries),
}

/** Leads a flow to its end. States go through JSON, as they are stored. */
function lead<C, S, Out>(
  flow: SuiteFlow<C, S, Out>,
  context: C,
  answer: (need: ItemNeed, step: number) => ItemAnswer = fulfil,
): { out: Out; needs: string[]; pauses: number[] } {
  const needs: string[] = []
  const pauses: number[] = []
  let next = flow.start(context)
  for (let step = 0; ; step++) {
    if ('done' in next) return { out: next.done, needs, pauses }
    if (next.afterMs) pauses.push(next.afterMs)
    const state = JSON.parse(JSON.stringify(next.state)) as S
    const need = flow.need(state, context)
    needs.push(need.kind)
    next = flow.resume(state, answer(need, step), context)
  }
}

const build: ProgramFlowContext = {
  artifacts: {},
  program: programs[0]!,
  scenario,
  build: benchmark.building?.build as BenchmarkBuild,
  sample: 1,
  options: { languages: ['javascript'], translator: 'template', seed: 1 },
}
const caseOf = (program: ProgramFlowContext['program']): Case => {
  const { out } = lead(programFlow, { ...build, program })
  if (out.status !== 'passed') throw new Error(out.reason)
  return out.case as Case
}

test('a program runs twice, is translated, and becomes a case', () => {
  for (const program of programs) {
    const { out, needs } = lead(programFlow, { ...build, program })
    expect(needs).toEqual(['execute', 'execute', 'translate'])
    expect(out).toMatchObject({
      status: 'passed',
      retries: 0,
      runtimes: ['fake runtime'],
      case: {
        id: `session-service-${program.id.slice(0, 12)}`,
        instruction: 'do it',
        world: 'session-service',
      },
    })
  }
})

test('with two languages, the second one runs must agree with the oracles of the first', () => {
  const run: unknown[] = []
  const bilingual = {
    ...build,
    options: { ...build.options, languages: ['javascript', 'python'] as ('javascript' | 'python')[] },
  }
  const { out } = lead(programFlow, bilingual, (need) => {
    if (need.kind !== 'execute') return fulfil(need)
    const payload = codeOf(need)
    run.push([payload.language, payload.code.includes('requests.')])
    // The stand-in knows reference code in JavaScript only.
    return fulfil({
      ...need,
      payload: { ...payload, code: emit(programs[0]!, 'javascript')! },
    })
  })
  expect(out.status).toBe('passed')
  expect(run).toEqual([
    ['javascript', false],
    ['python', true],
  ])
})

const changed = (
  result: ExecutionResult,
  change: (observation: ExecutionResult['observations'][number]) => object,
): ExecutionResult => ({
  ...result,
  observations: result.observations.map((one) => ({ ...one, ...change(one) })),
})
const withResult = (request: ExecutionRequest) =>
  changed(execute(request), () => ({ ending: { status: 'completed', result: { other: 1 } } }))

test.each<[string, string, (need: ItemNeed, step: number) => ItemAnswer]>([
  ['oracle', 'replay and prediction disagree', (need) => done(withResult(codeOf(need)))],
  [
    'oracle',
    'two replays disagree',
    (need, step) => (step === 1 ? done(withResult(codeOf(need))) : fulfil(need)),
  ],
  [
    'oracle',
    'the reference code ended with threw',
    (need) =>
      done(
        changed(execute(codeOf(need)), () => ({
          ending: { status: 'threw', error: { name: 'E', message: 'm' } },
        })),
      ),
  ],
  ['oracle', 'the execution was refused', () => ({ ok: false, refused: true, reason: 'no such world' })],
  ['oracle', 'infrastructure error', () => ({ ok: false, refused: false, reason: 'dead' })],
  [
    'translate',
    'the instruction could not be verified',
    (need) =>
      need.kind === 'translate' ? done({ status: 'rejected', reason: 'two readings' }) : fulfil(need),
  ],
  [
    'translate',
    'the translation was refused',
    (need) => (need.kind === 'translate' ? { ok: false, refused: true, reason: 'no agents' } : fulfil(need)),
  ],
])('a program is dropped in %s: %s', (phase, reason, answer) => {
  expect(lead(programFlow, build, answer).out).toMatchObject({ status: 'dropped', phase, reason })
})

test('infrastructure errors are tried again with growing pauses', () => {
  const away = (need: ItemNeed, step: number) =>
    step < 2 ? done(changed(execute(codeOf(need)), () => ({ faults: ['gone'] }))) : fulfil(need)
  const { out, pauses } = lead(programFlow, build, away)
  expect(out).toMatchObject({ status: 'passed', retries: 2 })
  expect(pauses).toEqual([500, 3000])
})

const first = caseOf(programs[0]!)
const sampled = (kind: 'reference' | 'mutant', sample = 0): SampleContext => ({
  benchmark,
  case: first,
  sample,
  item: 'ev_1/samples/0000000',
  responder: { kind },
  options: { language: 'javascript', prompting: 'direct', seed: 1 },
})

test('a score that infrastructure kept from being one is told with what failed', () => {
  const says = 'the world could not be observed after the run'
  const score = {
    passed: false,
    verdict: 'infrastructure_error',
    metrics: { pass: null },
    evidence: { differences: [{ where: 'run', says }] },
  }
  const { out } = lead(samples, sampled('reference'), (need) =>
    need.kind === 'score' ? done(score) : fulfil(need),
  )
  expect(out).toMatchObject({
    passing: true,
    scored: { score: null, notScored: `infrastructure error: ${says}` },
  })
})

test('the reference passes without a question to anyone', () => {
  const { out, needs } = lead(samples, sampled('reference'))
  expect(needs).toEqual(['execute', 'score'])
  expect(out).toMatchObject({ scored: { score: { passed: true } }, retries: 0, runtimes: ['fake runtime'] })
})

test('an endpoint is asked, its usage is kept', () => {
  const code = getFirstAnswer(
    sampled('reference').benchmark.player(first, { language: 'javascript', prompting: 'direct' }),
  ) as string
  const context: SampleContext = {
    ...sampled('reference'),
    responder: { kind: 'endpoint', name: 'm', settings: { baseUrl: 'http://127.0.0.1/v1', model: 'x' } },
  }
  const { out, needs } = lead(samples, context, (need) =>
    need.kind === 'ask'
      ? done({ text: code, finish: 'stop', usage: { requests: 1, promptTokens: 2, completionTokens: 3 } })
      : fulfil(need),
  )
  expect(needs).toEqual(['ask', 'execute', 'score'])
  expect(out).toMatchObject({
    answer: code,
    usage: { requests: 1, promptTokens: 2, completionTokens: 3 },
    scored: { score: { passed: true } },
  })
  expect(
    lead(samples, context, () => ({ ok: false, refused: true, reason: 'no key' })).out.scored,
  ).toMatchObject({
    score: null,
    notScored: 'no key',
  })
})

test('given answers are scored; a missing one and an empty one are not the same', () => {
  const contextOfReplies = (...texts: string[]): SampleContext => ({
    ...sampled('reference'),
    responder: { kind: 'given', replies: texts.map((text) => ({ text, finish: 'stop' })) },
  })
  expect(lead(samples, contextOfReplies()).out.scored).toMatchObject({
    score: null,
    notScored: 'no answer was given',
  })
  expect(lead(samples, contextOfReplies('')).out.scored).toMatchObject({
    score: { passed: false, verdict: 'no_code' },
  })
})

test('a run that our side failed is tried again, then not scored', () => {
  const broken = (need: ItemNeed): ItemAnswer =>
    need.kind === 'execute'
      ? done(
          changed(execute(need.payload as ExecutionRequest), () => ({
            ending: { status: 'infrastructure', reason: 'world away' },
          })),
        )
      : fulfil(need)
  const { out, needs } = lead(samples, sampled('reference'), broken)
  expect(needs).toEqual(['execute', 'execute', 'execute', 'execute'])
  expect(out).toMatchObject({
    retries: 3,
    scored: { score: null, notScored: 'infrastructure error: world away' },
  })
})

test('each mutant gets its outcome, and the same seed the same mutants', () => {
  const outcomes = (seed: number) =>
    Array.from(
      { length: 40 },
      (_, sample) =>
        lead(samples, { ...sampled('mutant', sample), options: { ...sampled('mutant').options, seed } }).out
          .scored.mutant,
    )
  const all = outcomes(1)
  const expected = {
    throws: 'caught_by_exception',
    differs: 'caught_by_comparison',
    survives: 'survived',
    equivalent: 'equivalent',
  }
  expect(new Set(all.map((mutant) => mutant?.operator)).size).toBe(4)
  for (const mutant of all) expect(mutant?.outcome).toBe(expected[mutant?.operator as keyof typeof expected])
  expect(outcomes(1)).toEqual(all)
  expect(outcomes(2)).not.toEqual(all)
})

test('a mutant that the scorer fails without a difference is disputed', () => {
  const wrong = (need: ItemNeed): ItemAnswer =>
    need.kind === 'score'
      ? done({ passed: false, verdict: 'result_error', metrics: {}, evidence: { differences: [] } })
      : fulfil(need)
  const outcomes = Array.from(
    { length: 40 },
    (_, sample) => lead(samples, sampled('mutant', sample), wrong).out.scored.mutant,
  )
  expect(
    outcomes
      .filter((mutant) => mutant?.operator === 'equivalent')
      .every((mutant) => mutant?.outcome === 'disputed'),
  ).toBe(true)
  expect(outcomes.some((mutant) => mutant?.outcome === 'disputed')).toBe(true)
})

test('ids that a world issued get names that are the same in every run', () => {
  const oracle = (id: string) => ({
    input: { variables: {}, world: {} },
    result: { id, list: [{ id }, `/api/${id}`], other: 'x' },
    world: {
      state: { items: [{ id }] },
      ids: { initial: ['f'.repeat(24)], created: [id] },
      gone: [{ id, last: {} }],
    },
  })
  const one = withStableIds(oracle('0123456789abcdef01234567'), 'p/0')
  expect(withStableIds(oracle('aaaaaaaaaaaaaaaaaaaaaaaa'), 'p/0')).toEqual(one)
  const [id] = one.world.ids.created
  expect(id).toMatch(/^[0-9a-f]{24}$/)
  expect(one).toEqual(oracle(id as string))
  expect(withStableIds(oracle('0123456789abcdef01234567'), 'p/1')).not.toEqual(one)
})
