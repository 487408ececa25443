/* eslint-disable @typescript-eslint/no-explicit-any -- cases are torn on purpose */
import { expect, test } from '@jest/globals'
import type {
  Case,
  EpisodeEvent,
  EpisodeOptions,
  ExecutionInput,
  Message,
  ScoredSample,
  EpisodeTransition,
} from '@stateeval/contracts'
import { codeVerdicts, roundNumber, computeWilson } from '@stateeval/score'
import {
  createRng,
  getFirstAnswer,
  runEpisode,
  oneAnswer,
  buildProgramCandidate,
  withId,
} from '@stateeval/program'
import { observation } from '@stateeval/testkit'
import { benchmark, cases, predict } from './cases.ts'

const all = cases(12)
const one = all.find(({ program }) => program.branch) as Case
const line = (c: unknown) => JSON.stringify(c)
const options = { language: 'javascript', prompting: 'direct' } as const

test('a case is read back as it was written', () => {
  for (const c of all) expect(benchmark.parse(line(c))).toEqual(c)
})

const changed = (change: (c: any) => void) => {
  const c: any = structuredClone(one)
  change(c)
  return line(c)
}
const torn: [string, string, RegExp][] = [
  ['a torn line', line(one).slice(0, 200), /not valid JSON/],
  ['a missing field', changed((c) => delete c.instruction), /\/instruction is missing/],
  [
    'a field of another type',
    changed((c) => (c.oracles[0].world.ids.created = 'x')),
    /\/oracles\/0\/world\/ids\/created/,
  ],
  [
    'an unknown scenario',
    changed((c) => (c.scenario = c.program.scenario = 'moon-base')),
    /\/scenario is moon-base/,
  ],
  ['a program that was changed', changed((c) => (c.program.body[0].api = 'other')), /\/program\/id/],
  [
    'a name without a value',
    changed(
      (c) => (
        (c.program.body[0].args.source = { kind: 'reference', variable: 'nowhere', path: [] }),
        (c.program = withId(c.program))
      ),
    ),
    /\/program\/body\/0 is wrong: no variable is named nowhere here/,
  ],
  [
    'a variable that an input lacks',
    changed((c) => delete c.oracles[0].input.variables.user_variable_0),
    /\/oracles\/0\/input\/variables\/user_variable_0 is missing/,
  ],
]
test.each(torn)('%s is refused by name', (_, text, message) => {
  expect(() => benchmark.parse(text)).toThrow(message)
})

test('the prompt has names, rules and instruction, never values or the oracle', () => {
  for (const prompting of benchmark.asking.promptings) {
    const turn = benchmark.episode.start(one, { ...options, prompting })
    if (!('need' in turn) || turn.need.kind !== 'reply') throw new Error('no prompt')
    const [message] = turn.need.append
    expect(turn.need.append).toHaveLength(1)
    expect(message?.content).toContain(one.instruction)
    expect(message?.content).toContain('`user_variable_0`')
    expect(message?.content).toContain('RESULT')
    for (const { title } of one.program.variables.flatMap(({ values }) =>
      (values[0] as any)?.data ? [(values[0] as any).data] : [],
    ))
      expect(message?.content).not.toContain(title)
  }
})

/** Goes on as a host does: states cross JSON, and the transcript holds what was said. */
const go = (turn: EpisodeTransition, event: EpisodeEvent, transcript: Message[] = []) => {
  if (!('state' in turn)) throw new Error('the episode is over')
  return benchmark.episode.resume(one, options, JSON.parse(line(turn.state)), event, [
    { role: 'model', messages: transcript },
  ])
}
const replied = (text: string): EpisodeEvent => ({ kind: 'replied', text, finish: 'stop' })

test('an episode asks, executes what was answered on every input, and ends', async () => {
  const observations = one.oracles.map(({ input }) => predict(one.program, input))
  const { candidate } = await runEpisode(benchmark.episode, one, options, {
    reply: benchmark.player(one, options)!,
    execute({ inputs }) {
      expect(inputs).toEqual(one.oracles.map(({ input }) => input))
      return { observations, runtime: 'r' }
    },
  })
  expect(candidate.transcripts[0]!.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(benchmark.score({ case: one, candidate })).toEqual({
    passed: true,
    verdict: 'passed',
    metrics: { pass: 1 },
    evidence: { differences: [] },
  })

  const firstTurn = benchmark.episode.start(one, options)
  const answer = getFirstAnswer(benchmark.player(one, options))!
  const answered = go(firstTurn, replied(answer), [{ role: 'assistant', content: answer }])
  expect(go(firstTurn, replied('I can’t.'), [{ role: 'assistant', content: 'I can’t.' }])).toEqual({
    done: {
      kind: 'program',
      attempts: [
        {
          message: 0,
          readings: [{ policy: null, none: 'the answer is prose, without any code', run: null }],
        },
      ],
    },
  })
  const away: EpisodeEvent = { kind: 'unavailable', reason: 'failed', detail: 'away' }
  const notScored = { reason: 'failed', detail: 'away' }
  expect(go(firstTurn, away)).toEqual({ done: { kind: 'program', attempts: [] }, notScored })
  expect(go(answered, away)).toMatchObject({ notScored })
  expect(() => go(firstTurn, { kind: 'executed', run: 0, result: { observations, runtime: 'r' } })).toThrow(
    TypeError,
  )
  const long = await runEpisode(benchmark.episode, one, options, {
    reply: oneAnswer(`\`\`\`js
RESULT = '${'x'.repeat(1_000_001)}'
\`\`\``),
    execute: () => Promise.reject(new Error('too long to run')),
  })
  expect(benchmark.score({ case: one, candidate: long.candidate }).verdict).toBe('syntax_error')
})

test('a long program is no part of the state: it is read from its answer again', () => {
  const code = `RESULT = '${'x'.repeat(200_000)}'`
  const answer = `\`\`\`js\n${code}\n\`\`\``
  const said: Message[] = [{ role: 'assistant', content: answer }]
  const executing = go(benchmark.episode.start(one, options), replied(answer), said)
  expect(executing).toMatchObject({ need: { kind: 'execute', request: { code } } })
  expect(line('state' in executing ? executing.state : null).length).toBeLessThan(200)
  const result = { observations: [], runtime: 'r' }
  expect(go(executing, { kind: 'executed', run: 3, result }, said)).toEqual({
    done: { kind: 'program', attempts: [{ message: 0, readings: [{ policy: null, code, run: 3 }] }] },
  })
})

test('some inputs, or others in their place, are executed where the options say so', async () => {
  const inputsUnder = async (more: Partial<EpisodeOptions>) => {
    let ran: readonly ExecutionInput[] = []
    await runEpisode(
      benchmark.episode,
      one,
      { ...options, ...more },
      {
        reply: benchmark.player(one, options)!,
        execute({ inputs }) {
          ran = inputs
          return { observations: [], runtime: 'r' }
        },
      },
    )
    return ran
  }
  const inputs = one.oracles.map(({ input }) => input)
  expect(await inputsUnder({ only: [1] })).toEqual(inputs.slice(1, 2))
  const other = { variables: { a: 1 }, world: {} }
  expect(await inputsUnder({ inputs: [other] })).toEqual([other])
})

test('what can’t be scored is no fault of the model; no code is', () => {
  const reason = 'connect ECONNREFUSED 127.0.0.1:8080'
  const away = observation({ ending: { status: 'infrastructure', reason }, world: null })
  expect(
    benchmark.score({
      case: one,
      candidate: buildProgramCandidate({ code: '', observations: one.oracles.map(() => away) }),
    }),
  ).toMatchObject({
    verdict: 'infrastructure_error',
    metrics: { pass: null },
    evidence: { differences: [{ says: expect.stringContaining('connect ECONNREFUSED <host>') }] },
  })
  expect(benchmark.score({ case: one, candidate: buildProgramCandidate({ code: null }) })).toMatchObject({
    verdict: 'no_code',
    metrics: { pass: 0 },
    evidence: { rootCause: { cause: 'instruction_not_followed' } },
  })
})

test('a report is the same whatever the order of its samples, and counts nothing that was not scored', () => {
  const samples: ScoredSample[] = all.flatMap((c, n) => {
    const mutation = benchmark.mutants?.mutate(c, options, createRng(n))
    return [0, 1].map((sample): ScoredSample => {
      const program = sample === 0 ? c.program : (all[(n + 1) % all.length] as Case).program
      const candidate = buildProgramCandidate({
        code: '',
        observations: c.oracles.map(({ input }) => predict(program, input)),
      })
      const score = n === 3 && sample === 1 ? null : benchmark.score({ case: c, candidate })
      const mutant = {
        operator: mutation?.operator ?? '',
        site: mutation?.site ?? '',
        outcome: score === null ? 'not_scored' : score.passed ? 'survived' : 'caught_by_comparison',
      } as const
      return {
        case: c.id,
        sample,
        score,
        ...(score === null ? { notScored: 'the sandbox was away' } : {}),
        ...(sample === 1 ? { mutant } : {}),
      }
    })
  })
  const about = { digest: 'b', model: 'm', options: { b: 1, a: 2 } }
  const report = benchmark.aggregate(samples, all, about)
  expect(
    line(benchmark.aggregate(createRng(5).shuffle(samples), all, { ...about, options: { a: 2, b: 1 } })),
  ).toBe(line(report))
  const { passed } = report.overall
  expect(report.overall).toMatchObject({
    scored: 23,
    method: 'clustered',
    interval: report.statistics?.clustered,
    unscored: 1,
    bracket: [roundNumber(passed / 24), roundNumber((passed + 1) / 24)],
  })
  expect(report.mutation).toMatchObject({ method: 'wilson' })
  expect(Object.keys(report.explanations ?? {})).toEqual(['wilson', 'clustered', 'bracket'])
  const single = benchmark.aggregate(
    samples.filter(({ sample }) => sample === 0),
    all,
    about,
  )
  expect(single.overall).toMatchObject({ method: 'wilson' })
  expect(
    Object.values(single.groups).flatMap((rows) => rows.filter(({ rate }) => rate.method !== 'wilson')),
  ).toEqual([])
  expect(single.overall).not.toHaveProperty('bracket')
  expect(passed).toBeGreaterThanOrEqual(12)
  expect(report.notScored).toBe(1)
  expect(Object.keys(report.verdicts)).toEqual([...codeVerdicts])
  expect(Object.keys(report.groups)).toEqual([
    'scenario',
    'api',
    'length',
    'branch',
    'path_depth',
    'language',
  ])
  const branches = report.groups['branch']?.reduce((sum, { rate }) => sum + rate.scored, 0)
  expect(branches).toBe(23)
  expect(report.mutation).toMatchObject({
    caught: report.mutation?.byComparison,
    byException: 0,
    disputed: 0,
  })
  expect(report.mutation?.survivors).toHaveLength(report.mutation?.survived ?? -1)
})

test('APIs of a set of several scenarios stand with their scenario, which is named; those of one scenario are not', () => {
  const passed = (c: Case): ScoredSample => ({
    case: c.id,
    sample: 0,
    score: { passed: true, verdict: 'passed', metrics: {}, evidence: { differences: [] } },
  })
  const renamed = (c: Case): Case => {
    const program = JSON.parse(
      JSON.stringify(c.program).replaceAll(/"api":"(\w+)"/g, '"api":"a$1"'),
    ) as Case['program']
    return { ...c, id: `other-${c.id}`, scenario: 'another', program }
  }
  const about = { digest: 'b', model: 'm', options: {} }
  const alone = benchmark.aggregate(all.map(passed), all, about).groups['api']!
  expect(alone.every((member) => !('scenario' in member))).toBe(true)
  const both = [...all, ...all.map(renamed)]
  const together = benchmark.aggregate(both.map(passed), both, about).groups['api']!
  const names = alone.map(({ name }) => name)
  expect(together.map(({ name, scenario }) => [scenario, name])).toEqual([
    ...names.map((name) => ['another', `a${name}`]),
    ...names.map((name) => ['session-service', name]),
  ])
  expect(together.slice(names.length).map(({ rate }) => rate)).toEqual(alone.map(({ rate }) => rate))
})

test('a report says what kinds of errors there are, and what several samples of a case say together', () => {
  const evidence = {
    differences: [{ where: 'state.items[2].data.title', says: '' }],
    error: { name: 'AxiosError', message: '', status: 404 },
  }
  const cause = {
    cause: 'implicit_state_mismanaged',
    kind: 'stale_id',
    api: 'deleteSession',
    argument: 'id',
    because: '',
  } as const
  const scored = (sample: number, verdict: string): ScoredSample => ({
    case: one.id,
    sample,
    score: {
      passed: verdict === 'passed',
      verdict,
      metrics: {},
      evidence: verdict === 'execution_error' ? { ...evidence, rootCause: cause } : { differences: [] },
    },
  })
  const again = { ...scored(5, 'passed') }
  if (again.score)
    again.score.attempts = ['no_code', 'passed'].map((verdict) => ({ verdict, passed: verdict === 'passed' }))
  const verdicts = ['passed', 'execution_error', 'timeout', 'no_code', 'result_error']
  const samples = [...verdicts.map((verdict, n) => scored(n, verdict)), again]
  const { errors, statistics, firstTry, groups } = benchmark.aggregate(samples, all, {
    digest: 'b',
    model: 'm',
    options: { language: 'javascript' },
  })
  expect(errors).toEqual({
    byScenario: [{ name: 'session-service', failed: 4, syntax: 1, execution: 2, result: 1 }],
    exceptions: [
      { name: 'AxiosError 404', samples: 1 },
      { name: 'timeout', samples: 1 },
    ],
    kinds: [{ name: 'implicit_state_mismanaged/stale_id', samples: 1 }],
    apis: [{ name: 'deleteSession', samples: 1 }],
    arguments: [{ name: 'deleteSession.id', samples: 1 }],
    items: [{ name: 'items[].data.title', samples: 1 }],
  })
  expect(statistics).toEqual({
    cases: 1,
    // One case says little of others, however many samples it has.
    clustered: computeWilson(1 / 3, 1),
    passAtK: [
      { k: 1, estimate: 0.333333, cases: 1 },
      { k: 2, estimate: 0.6, cases: 1 },
      { k: 5, estimate: 1, cases: 1 },
      { k: 6, estimate: 1, cases: 1 },
    ],
    passAllK: [
      { k: 1, estimate: 0.333333, cases: 1 },
      { k: 2, estimate: 0.066667, cases: 1 },
      { k: 5, estimate: 0, cases: 1 },
      { k: 6, estimate: 0, cases: 1 },
    ],
  })
  expect(firstTry).toMatchObject({ passed: 1, scored: 6 })
  expect(groups['language']).toMatchObject([{ name: 'javascript', rate: { passed: 2 } }])
})
