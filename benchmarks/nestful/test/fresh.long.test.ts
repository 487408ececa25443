/**
 * Fresh cases: programs become nested calls whose truth replays; the reference scores 1.0, mutants are
 * caught.
 */
import { expect, test } from '@jest/globals'
import type {
  CallsExecutionRequest,
  EpisodeOptions,
  ExecutionResult,
  ExecutionInput,
  Observation,
  Program,
} from '@stateeval/contracts'
import { benchmarksFor } from '@stateeval/benchmarks'
import { defaultOptions, generate } from '@stateeval/generate'
import {
  createRng,
  interpret,
  runEpisode,
  type ReplyPlayer,
  type ProgramContext,
  type Scenario,
} from '@stateeval/program'
import { elevenLabsMcp } from '@stateeval/scenario-elevenlabs-mcp'
import { sessionService } from '@stateeval/scenario-session-service'
import { testMcNemar } from '@stateeval/score'
import { translate } from '@stateeval/translate'
import { build } from '../build/index.ts'
import { type GoldCall, type NestfulCase, parse } from '../case.ts'
import { measureDepth } from '../depth.ts'
import { nestful } from '../index.ts'
import { defaults } from './drive.ts'
import { simulate } from './simulate.ts'

/** 500 cases and 400 mutants with STATEEVAL_LONG=1. */
const long = process.env['STATEEVAL_LONG'] === '1'
const [caseCount, mutantCount] = long ? [500, 400] : [40, 60]

const scenarios: readonly Scenario[] = [sessionService, elevenLabsMcp]
const scenarioOf = (id: string) => scenarios.find((one) => one.id === id)!
const benchmark = nestful({ scenario: scenarioOf })
const options = {
  seed: 7,
  keep: caseCount,
  programs: caseCount * 3,
  languages: ['javascript'],
  translator: 'template',
} as never

/** A program's way to its case, with the state machine in the world's place. */
function endOf(program: Program, scenario: Scenario) {
  const context = {
    program,
    scenario,
    artifacts: {},
    options: { seed: 7, translator: 'template', languages: ['javascript'] },
    sample: 0,
  } as unknown as ProgramContext
  let next = build.flow.start(context)
  while ('state' in next) {
    const need = build.flow.need(next.state, context)
    if (need.kind === 'ask') throw new Error('nobody is asked')
    const straight = (need.payload as { program?: Program }).program
    const value =
      need.kind === 'execute'
        ? ran(need.payload as CallsExecutionRequest, program, scenario)
        : translated(straight!, scenario)
    next = build.flow.resume(next.state, { ok: true, value }, context)
  }
  return next.done
}
const ran = ({ calls }: CallsExecutionRequest, program: Program, scenario: Scenario): ExecutionResult => ({
  observations: [simulate(calls, program, scenario)],
  runtime: 'state machine',
})
const translated = (program: Program, scenario: Scenario) => translate({ program, scenario, seed: 7 })

const parts = scenarios.map((scenario) => {
  const programs = generate(scenario, {
    ...defaultOptions,
    strategy: 'coverage',
    count: caseCount * 2,
    seed: 7,
  })
  const ends = [...programs].map(({ program }) => endOf(program, scenario))
  return { scenario: scenario.id, ends, generation: { apis: 1, dropped: {} } as never }
})
const set = (await build.assemble(parts, options, {}))!
const cases = set.lines.map((line) => parse(line))

async function scored(c: NestfulCase, player: ReplyPlayer) {
  const { candidate } = await runEpisode(benchmark.episode, c, defaults, {
    reply: player,
    execute: () => {
      throw new Error('no code is run')
    },
    executeCalls: ({ calls }) => ({
      observations: [simulate(calls, c.task.truth!.program, scenarioOf(c.task.part))],
      runtime: 'state machine',
    }),
  })
  return benchmark.score({ case: c, candidate, policy: 'sound' })
}

test('there are as many as wanted, nested ones among them', () => {
  expect(cases.length).toBeGreaterThanOrEqual(caseCount)
  const depths = cases.map(({ task }) => measureDepth(task.calls))
  expect(Math.max(...depths)).toBeGreaterThan(2)
  expect(depths.filter((depth) => depth > 1).length).toBe(cases.length)
  // Initial values never stand in an instruction; every case brings examples, never itself.
  for (const c of cases) expect(c.task.examples!.every((example) => example.case !== c.id)).toBe(true)
})

test('the same seed gives the same bytes', async () => {
  expect((await build.assemble(parts, options, {}))!.lines).toEqual(set.lines)
})

test('the reference scores 1.0 under both policies', async () => {
  const wrong: unknown[] = []
  for (const c of cases) {
    const { policies } = await scored(c, benchmark.player(c, defaults)!)
    const { published, sound } = policies as Record<
      string,
      { passed: boolean; metrics: Record<string, number>; differences: unknown[] }
    >
    if (!published!.passed || !sound!.passed || sound!.metrics['win'] !== 1 || sound!.metrics['full'] !== 1)
      wrong.push([c.id, published!.differences, sound!.differences])
  }
  expect(wrong.slice(0, 3)).toEqual([])
})

test('an extra call that changes nothing still solves a fresh case, and costs one slot', async () => {
  const c = cases.find(
    ({ group, task }) =>
      group === 'session-service' && task.calls.some(({ name }) => name === 'listSessions'),
  )!
  const list = c.task.calls.find(({ name }) => name === 'listSessions')!
  const player = benchmark.player(c, defaults, [...c.task.calls, { ...list, label: 'var90' }] as never)!
  const { passed, policies } = await scored(c, player)
  expect(passed).toBe(true)
  expect(policies!['sound']!.metrics).toMatchObject({ full: 0, win: 1 })
})

const isRead = ({ name }: GoldCall) => /^(?:list|get|query|search|find|check)/i.test(name)
const literal = ({ arguments: args }: GoldCall) => !args.includes('$')

test('a read more, before or behind, never loses a case', async () => {
  let tried = 0
  for (const c of cases) {
    const { calls } = c.task
    for (const read of calls.filter((one) => isRead(one) && literal(one)))
      for (const more of [
        [{ ...read, label: 'var90' }, ...calls],
        [...calls, { ...read, label: 'var90' }],
      ]) {
        const { passed, policies } = await scored(c, benchmark.player(c, defaults, more)!)
        expect([c.id, passed, policies!['sound']!.differences]).toEqual([c.id, true, []])
        tried++
      }
  }
  expect(tried).toBeGreaterThan(5)
})

const worldAfter = ({ task }: NestfulCase, count: number) =>
  JSON.stringify(simulate(task.calls.slice(0, count), task.truth!.program, scenarioOf(task.part)).world)
const changes = (c: NestfulCase, at: number) => worldAfter(c, at) !== worldAfter(c, at + 1)

test('a read that is moved past a change is no full match', async () => {
  let tried = 0
  for (const c of cases) {
    const { calls } = c.task
    for (const [at, call] of calls.slice(0, -1).entries()) {
      const next = calls[at + 1]!
      const [first, second] = [changes(c, at), changes(c, at + 1)]
      if (first === second || next.arguments.includes(`$${call.label}`)) continue
      const moved = calls.with(at, next).with(at + 1, call)
      const { policies } = await scored(c, benchmark.player(c, defaults, moved)!)
      expect([c.id, at, policies!['sound']!.metrics['graph_full']]).toEqual([c.id, at, 0])
      tried++
    }
  }
  expect(tried).toBeGreaterThan(0)
})

test('a lost case names the places of its results and its world that differ', async () => {
  let tried = 0
  for (const c of cases.filter(({ group }) => group === 'session-service')) {
    const { calls } = c.task
    const at = calls.findLastIndex((_, place) => changes(c, place))
    // Nothing may need what it gave.
    if (at < 0 || calls.some((call) => call.arguments.includes(`$${calls[at]!.label}`))) continue
    const { passed, policies } = await scored(c, benchmark.player(c, defaults, calls.toSpliced(at, 1))!)
    const places = policies!['sound']!.differences.filter(({ where }) => /^(result|state)\b/.test(where))
    const values = places.filter(({ expected, found }) => expected !== undefined || found !== undefined)
    // A result of the call itself is said to be missing before the world is compared.
    const isMissing = places.some(({ says }) => says.startsWith('no call was made for '))
    expect([c.id, passed, places.length > 0, values.length > 0 || isMissing]).toEqual([
      c.id,
      false,
      true,
      true,
    ])
    if (!isMissing) tried++
  }
  expect(tried).toBeGreaterThan(0)
})

test('every answer counts in the win rate, and published cannot decide', async () => {
  const c = cases[0]!
  for (const text of ['No.', '[]', '']) {
    const { verdict, policies } = await scored(c, () => ({ text, finish: 'stop' }))
    expect([verdict, policies!['sound']!.metrics['win']]).toEqual(['no_calls', 0])
  }
  expect(benchmark.asking.refusesFor!(c, { ...defaults, policy: 'published' })).toMatchObject({
    field: '/policy',
  })
  expect(benchmark.asking.refusesFor!(c, { ...defaults, policy: 'sound' })).toBeNull()
  expect(benchmark.asking.refusesFor!(c, defaults)).toBeNull()
  expect(benchmark.aggregate([], [c], { digest: '', model: 'm', options: {} }).options).toMatchObject({
    policy: 'sound',
  })
})

/**
 * As the host tells it: the same on the case's own input and on 20 further ones, by code that is not the
 * scorer's.
 */
function isEquivalent(c: NestfulCase, mutant: GoldCall[]): boolean {
  const { truth, part, calls } = c.task
  const mutants = benchmark.mutants!
  const runOn = (list: GoldCall[], input?: ExecutionInput) =>
    simulate(list, truth!.program, scenarioOf(part), input)
  if (!mutants.agree(c, mutants.expected(c)[0]!, runOn(mutant))) return false
  return mutants
    .furtherInputs(c, 20, createRng(c.id))
    .every((input) => mutants.agree(c, runOn(calls, input), runOn(mutant, input)))
}

test('mutants are caught', async () => {
  const survivors: string[] = []
  let [caught, equivalent] = [0, 0]
  for (let n = 0; n < mutantCount; n++) {
    const c = cases[n % cases.length]!
    const { mutant, operator, site } = benchmark.mutants!.mutate(c, defaults, createRng(`mutant/${n}`))!
    const { passed } = await scored(c, benchmark.player(c, defaults, mutant)!)
    if (!passed) caught++
    else if (isEquivalent(c, mutant as unknown as GoldCall[])) equivalent++
    else survivors.push(`${c.id}: ${operator}, ${site}`)
  }
  process.stderr.write(
    `${caught} of ${mutantCount} mutants caught, ${equivalent} equivalent; survivors:\n${survivors.map((one) => `  ${one}\n`).join('')}`,
  )
  expect(caught / (mutantCount - equivalent)).toBeGreaterThanOrEqual(0.95)
  expect(equivalent).toBeLessThan(0.25 * mutantCount)
})

test('the same case is answered by a program, too, and both are compared in pairs', async () => {
  const kinds = benchmarksFor({ scenario: scenarioOf })
  const both = kinds.get('nestful')!
  const pairs = { both: 0, calls: 0, program: 0, neither: 0 }
  for (const [at, c] of cases.slice(0, long ? 200 : 20).entries()) {
    const asProgram: EpisodeOptions = { ...defaults, setup: 'program' }
    // A scripted model: every third case in prose as calls, every fifth as a program.
    const program = at % 5 === 0 ? () => ({ text: 'No.', finish: 'stop' }) : both.player(c, asProgram)!
    const { candidate } = await runEpisode(both.episode, c, asProgram, {
      reply: program,
      execute: () => ({
        observations: [predicted(c)],
        runtime: 'state machine',
      }),
    })
    const left = both.score({ case: c, candidate })
    const right = await scored(
      c,
      at % 3 === 0 ? () => ({ text: 'No.', finish: 'stop' }) : benchmark.player(c, defaults)!,
    )
    expect(left.verdict).toBe(at % 5 === 0 ? 'no_calls' : 'correct')
    pairs[left.passed ? (right.passed ? 'both' : 'program') : right.passed ? 'calls' : 'neither']++
  }
  const p = testMcNemar(pairs.calls, pairs.program)
  process.stderr.write(`calls against programs: ${JSON.stringify(pairs)}, McNemar p = ${p.toFixed(4)}\n`)
  expect(pairs.both).toBeGreaterThan(0)
  expect(p).toBeGreaterThan(0)
})

/** What the program of a case leaves, as the state machine predicts it. */
function predicted(c: NestfulCase): Observation {
  const { program, input } = c.task.truth!
  const run = interpret(program, scenarioOf(c.task.part), input)
  if (!run.ok) throw new Error(run.error)
  return {
    ending: { status: 'completed', result: JSON.parse(JSON.stringify(run.result)) },
    world: run.world,
    log: [],
    output: '',
    faults: [],
    wallMs: 0,
    sandbox: 'state machine',
  }
}
