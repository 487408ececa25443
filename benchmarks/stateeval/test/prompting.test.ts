/** What a model reads and how it is asked again: documentation, examples, its own errors. */
import { expect, test } from '@jest/globals'
import type {
  Case,
  EpisodeEvent,
  EpisodeOptions,
  ExecutionResult,
  Message,
  Observation,
  EpisodeTransition,
} from '@stateeval/contracts'
import { emit, getFirstAnswer, isCall, listWrittenSteps } from '@stateeval/program'
import { benchmark, cases, predict } from './cases.ts'

const all = cases(20, 2).map((c, n): Case => ({ ...c, instruction: `Do ${n} things, and return them.` }))
const one = all[0] as Case
const promptOf = (options: Partial<EpisodeOptions>, c = one) => {
  const turn = benchmark.episode.start(c, { language: 'javascript', prompting: 'direct', ...options })
  if (!('need' in turn) || turn.need.kind !== 'reply') throw new Error('no prompt')
  return { turn, text: turn.need.append.map(({ content }) => content).join('\n') }
}
const apis = (c: Case) =>
  new Set(listWrittenSteps(c.program).flatMap((step) => (isCall(step) ? [step.api] : [])))
const headings = (text: string) => [...text.matchAll(/^## (\w+): /gm)].map(([, api]) => api as string)

test('documentation: all of it, the parts that the task needs among others, or nothing', () => {
  for (const c of all) {
    expect(headings(promptOf({}, c).text)).toHaveLength(5)
    const relevant = headings(promptOf({ documentation: 'relevant' }, c).text)
    for (const api of apis(c)) expect(relevant).toContain(api)
    expect(relevant).toHaveLength(Math.min(5, apis(c).size + 1))
    expect(promptOf({ documentation: 'relevant' }, c).text).toContain('# Session Service')
    const none = promptOf({ documentation: 'none' }, c).text
    expect(headings(none)).toEqual([])
    expect(none).not.toContain('/api/sessions')
    expect(none).toContain(c.instruction)
  }
  expect(all.some((c) => apis(c).size < 4)).toBe(true)
  expect(promptOf({ documentation: 'relevant' }).text).toBe(promptOf({ documentation: 'relevant' }).text)
})

test('where the program calls an opt-in API, all of these are documented, too', () => {
  const optIn = cases(10, 2, { apis: ['getSession', 'fetchSessions'] })
  const [some, none] = [true, false].map((calls) =>
    optIn.filter((c) => (apis(c).has('getSession') || apis(c).has('fetchSessions')) === calls),
  ) as [Case[], Case[]]
  expect(some.length).toBeGreaterThan(2)
  for (const c of some) {
    expect(headings(promptOf({}, c).text)).toHaveLength(7)
    expect(headings(promptOf({ documentation: 'relevant' }, c).text)).toEqual(
      expect.arrayContaining([...apis(c)]),
    )
  }
  for (const c of none) expect(headings(promptOf({}, c).text)).toHaveLength(5)
})

test('few-shot: examples with their code, never the case itself, its twin, its values or its oracle', () => {
  for (const c of all) {
    const examples = all.filter((other) => benchmark.asking.mayShow?.(c, other)).slice(0, 3)
    expect(examples.map(({ id }) => id)).not.toContain(c.id)
    const { text } = promptOf({ prompting: 'few-shot', examples }, c)
    expect(text.match(/^### Example \d/gm)).toHaveLength(examples.length)
    const code = getFirstAnswer(benchmark.player(c, { prompting: 'direct' }))
      ?.split('\n')
      .slice(1, -2)
      .join('\n') as string
    expect(text).not.toContain(code)
    // Titles come from one store, so an example's own code may name the same one; nothing else does.
    const rest = examples.reduce(
      (left, { program }) => left.replace((emit(program, 'javascript') as string).trim(), ''),
      text,
    )
    if (examples.length > 0) expect(rest.length).toBeLessThan(text.length)
    for (const { input } of c.oracles)
      for (const value of Object.values(input.variables as Record<string, { data?: { title?: string } }>))
        if (value?.data?.title) expect(rest).not.toContain(value.data.title)
  }
  const twin: Case = {
    ...one,
    id: 'twin',
    program: { ...one.program, id: 'f'.repeat(64) },
    instruction: 'Something else.',
  }
  expect(benchmark.asking.mayShow?.(one, twin)).toBe(false)
  expect(benchmark.asking.mayShow?.(one, one)).toBe(false)
})

const right = getFirstAnswer(benchmark.player(one, { prompting: 'direct' })) as string
/** An episode with the record that a host keeps of it. */
interface Led {
  turn: EpisodeTransition
  options: EpisodeOptions
  messages: Message[]
  runs: ExecutionResult[]
}
const begin = (over: Partial<EpisodeOptions> = {}): Led => {
  const options: EpisodeOptions = { language: 'javascript', prompting: 'direct', ...over }
  return { turn: benchmark.episode.start(one, options), options, messages: [], runs: [] }
}
const go = ({ turn, options, messages, runs }: Led, event: EpisodeEvent): Led => {
  if (!('state' in turn)) throw new Error('the episode is over')
  const now = [...messages, ...(turn.need.kind === 'reply' ? turn.need.append : [])]
  if (event.kind === 'replied') now.push({ role: 'assistant', content: event.text })
  const all = event.kind === 'executed' ? [...runs, event.result] : runs
  const state = JSON.parse(JSON.stringify(turn.state))
  const next = benchmark.episode.resume(one, options, state, event, [{ role: 'model', messages: now }])
  return { turn: next, options, messages: now, runs: all }
}
const reply = (led: Led, text: string) => go(led, { kind: 'replied', text, finish: 'stop' })
const executed = (led: Led, observations: Observation[]) =>
  go(led, { kind: 'executed', run: led.runs.length, result: { observations, runtime: 'r' } })
const attemptsIn = ({ turn }: Led) =>
  'done' in turn && turn.done.kind === 'program' ? turn.done.attempts.length : null
const isDone = ({ turn }: Led) => 'done' in turn
const passing = one.oracles.map(({ input }) => predict(one.program, input))
const failing = passing.map((run): Observation => ({
  ...run,
  ending: {
    status: 'threw',
    error: {
      name: 'AxiosError',
      message: `Request failed: ${run.world?.ids.initial[0]}`,
      line: 1,
      status: 404,
    },
  },
  log: [
    {
      method: 'DELETE',
      path: `/api/sessions/a/b/${run.world?.ids.initial[0]}`,
      status: 404,
      responseBody: '{"error":"Not Found"}',
    },
  ],
}))
const lastMessage = ({ turn }: Led) => {
  if (!('need' in turn) || turn.need.kind !== 'reply') throw new Error('not asked')
  return turn.need.append.at(-1)?.content as string
}

test('reflect: a program that fails by itself is shown its error, with ids masked, and asked for again; both verdicts are kept', () => {
  const first = executed(
    reply(begin({ prompting: 'reflect' }), '```js\nRESULT = await away();\n```'),
    failing,
  )
  expect(lastMessage(first)).toContain('AxiosError: Request failed: <id 1 (initial)>')
  expect(lastMessage(first)).toContain('at line 1: `RESULT = await away();`')
  expect(lastMessage(first)).toContain(
    'The service answered 404 to DELETE /api/sessions/a/b/<id 1 (initial)>',
  )
  for (const id of failing[0]?.world?.ids.initial ?? []) expect(lastMessage(first)).not.toContain(id)
  const ended = executed(reply(first, right), passing)
  const { turn, messages, runs } = ended
  if (!('done' in turn)) throw new Error('asked again after a success')
  const candidate = {
    said: turn.done,
    transcripts: [{ role: 'model' as const, messages }],
    runs,
    consultations: [],
  }
  expect(benchmark.score({ case: one, candidate })).toMatchObject({
    passed: true,
    metrics: { pass: 1, first_pass: 0, attempts: 2 },
    attempts: [
      { passed: false, verdict: 'execution_error' },
      { passed: true, verdict: 'passed' },
    ],
  })
})

test('reflect: an answer without code is told so; rounds end it; a wrong RESULT is not known to be wrong', () => {
  const start = begin({ prompting: 'reflect', rounds: 1 })
  const again = reply(start, 'I would rather not.')
  expect(lastMessage(again)).toContain('No program was found in your answer: the answer is prose')
  const over = reply(again, 'No.')
  expect(attemptsIn(over)).toBe(2)
  const wrong = passing.map((run): Observation => ({
    ...run,
    ending: { status: 'completed', result: { other: 1 } },
  }))
  const accepted = executed(reply(start, right), wrong)
  expect(attemptsIn(accepted)).toBe(1)
  const broken = failing.map((run): Observation => ({
    ...run,
    ending: { status: 'infrastructure', reason: 'the jail is away' },
  }))
  expect(isDone(executed(reply(start, right), broken))).toBe(true)
  expect(isDone(executed(reply(begin({ prompting: 'reflect', rounds: 0 }), right), failing))).toBe(true)
  const away = go(again, { kind: 'unavailable', reason: 'failed', detail: 'away' })
  expect(away.turn).toMatchObject({
    notScored: { reason: 'failed', detail: 'away' },
    done: { attempts: [{ readings: [{ run: null }] }] },
  })
  // Who has no further answer is scored by those there are; without any, there is nothing to score.
  const exhausted: EpisodeEvent = { kind: 'unavailable', reason: 'exhausted', detail: 'no further answer' }
  expect(go(again, exhausted).turn).toEqual({ done: { kind: 'program', attempts: [expect.anything()] } })
  expect(go(start, exhausted).turn).toMatchObject({ notScored: { reason: 'exhausted' } })
})

test.each([
  [{ status: 'no_result', reason: 'RESULT is not set' }, /RESULT is not set/],
  [{ status: 'timeout', limit: 'wall', afterMs: 1 }, /within its time/],
  [{ status: 'killed', by: 'memory' }, /over a limit: memory/],
  [
    { status: 'refused', reason: 'syntax', error: { name: 'SyntaxError', message: 'Unexpected token' } },
    /SyntaxError: Unexpected token/,
  ],
] as const)('reflect: %j is said', (ending, says) => {
  const turn = executed(reply(begin({ prompting: 'reflect' }), right), [
    { ...(passing[0] as Observation), ending },
  ])
  expect(lastMessage(turn)).toMatch(says)
})
