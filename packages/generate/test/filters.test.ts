import { describe, expect, test } from '@jest/globals'
import { canonicalJson, type ExecutionInput, type Program } from '@stateeval/contracts'
import {
  copiedOutput,
  createRng,
  buildInput,
  interpret,
  type Interpretation,
  listExecutionPaths,
  mapBlocks,
  collectKnownAnswers,
  createLiteral,
  mutationOperators,
  createRef,
  type Scenario,
  StepSite,
  tellingOperators,
  withId,
} from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { liveHeapMiB } from '@stateeval/testkit'
import { begin, composeProgram } from '../src/compose.ts'
import { runReference, findUnseenMistakes } from '../src/filters/observable.ts'
import { ReferenceRun } from '../src/filters/reference-run.ts'
import { defaultOptions, generate, selectOperations, listOptInApis } from '../src/index.ts'
import { PairRecorder } from '../src/recorder.ts'
import type { SplitPlan } from '../src/splits.ts'
import { strategies } from '../src/strategies/index.ts'
import { showsAll, outcomeOf } from './by-running.ts'

const long = process.env['STATEEVAL_LONG'] !== undefined
const count = long ? 4000 : 30

/** With one output at most in RESULT: what makes the others shows no longer. */
const givingLess = (program: Program): Program =>
  mapBlocks(program, (block) => ({ ...block, result: block.result.slice(-1) }))

const shownBy = (run: Interpretation) => (run.ok ? { result: run.result, world: run.world } : null)

/** No if, one, or two or three of each form. */
const inner = { at: 2 }
const plans: readonly (SplitPlan | null)[] = [
  null,
  { at: 1 },
  { at: 1, then: inner },
  { at: 2 },
  { at: 1, otherwise: inner },
  null,
  { at: 1, then: inner, otherwise: inner },
]

describe.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
  'drafts of %s',
  (_, scenario) => {
    const search = { scenario, operations: selectOperations(scenario, { apis: listOptInApis(scenario) }) }
    const drafts = Array.from({ length: count }, (_, index) => {
      const rng = createRng(`filters/${index}`)
      const recorder = new PairRecorder(search.operations.map(({ id }) => id))
      const walk = { ...search, recorder, rng, pairs: 'states' as const, accepts: () => true }
      const strategy = index % 2 ? strategies.random : strategies.coverage
      const draft = composeProgram(
        strategy,
        walk,
        begin(scenario, rng.fork('start')),
        { length: 3 + (index % 5) },
        plans[index % plans.length]!,
      )
      return draft && index % 4 === 0 ? givingLess(draft) : draft
    }).filter((draft) => draft !== null)

    test('and their mutants do from the program’s own run what they do by themselves', () => {
      for (const draft of drafts) {
        const facts = collectKnownAnswers(draft, scenario)
        const sites = mutationOperators.flatMap((operator) => operator.sites(draft, facts))
        const mutants = createRng(draft.scenario)
          .sample(sites, 20)
          .map((site) => site.change(createRng(1)))
        for (const path of listExecutionPaths(draft).keys()) {
          const input = buildInput(draft, path)
          const referenceRun = new ReferenceRun(draft, scenario, input)
          expect(referenceRun.view).toMatchObject(shownBy(interpret(draft, scenario, input)) as object)
          for (const mutant of mutants)
            expect(referenceRun.follow(mutant)).toEqual(shownBy(interpret(mutant, scenario, input)))
        }
      }
    })

    test('with other steps in place of one show what whole runs show, by a comparison of texts', () => {
      let [shows, hides] = [0, 0]
      for (const draft of drafts) {
        const runs = runReference(draft, scenario)
        const inputs = runs.map((_run, path) => buildInput(draft, path))
        const outcomeText = (program: Program, input: ExecutionInput) =>
          canonicalJson(outcomeOf(interpret(program, scenario, input), scenario))
        const truly = inputs.map((input) => outcomeText(draft, input))
        const facts = collectKnownAnswers(draft, scenario)
        const sites = [...tellingOperators, copiedOutput]
          .flatMap((operator) => operator.sites(draft, facts))
          .filter((site) => site instanceof StepSite)
        for (const site of long ? sites : createRng(draft.scenario).sample(sites, 25))
          for (const [path, input] of inputs.entries()) {
            const differs = runs[path]!.differsWith(site)
            if (differs !== (outcomeText(site.change(), input) !== truly[path]))
              throw new Error(`${site.where} of ${JSON.stringify(draft)}: ${String(differs)}`)
            if (differs) shows++
            else hides++
          }
      }
      expect(2 * shows).toBeGreaterThan(hides)
      expect(hides).toBeGreaterThan(drafts.length)
      if (long) console.info(scenario.id, `${drafts.length} programs, ${shows} show, ${hides} do not`)
    })

    test('pass only where every step and the condition show by a comparison of texts, too', () => {
      expect(drafts.length).toBeGreaterThan(count / 2)
      const passing = drafts.map((draft) => findUnseenMistakes(draft, scenario).next().done)
      expect(new Set(passing)).toEqual(new Set([true, false]))
      const hiding = drafts.filter((draft, at) => passing[at] && !showsAll(draft, scenario))
      expect(hiding).toEqual([])
    })
  },
)

/** Programs whose runs are told apart by one value only. */
const sessions = scenarios.find(({ id }) => id === 'session-service') as Scenario
const listed = { source: 'portal_public', type: 'group' }
const group = (title: string, tags: string[]) => ({ ...listed, data: { title, tags } })
const queried = (index: number, items: object[]): Program =>
  withId({
    schema: 1,
    scenario: 'session-service',
    variables: [{ name: 'user_variable_0', role: 'user', values: [group('Mine', ['a', 'b'])] }],
    world: { items },
    body: [
      {
        kind: 'http',
        api: 'querySessions',
        method: 'GET',
        path: '/api/sessions/{source}/{type}/query',
        query: ['field', 'value'],
        args: {
          source: createRef('user_variable_0', 'source'),
          type: createRef('user_variable_0', 'type'),
          field: createLiteral('data.tags'),
          value: createRef('user_variable_0', 'data', 'tags', 1),
        },
        binds: 'response_0',
      },
      {
        kind: 'http',
        api: 'deleteSession',
        method: 'DELETE',
        path: '/api/sessions/{source}/{type}/{id}',
        args: {
          source: createRef('response_0', index, 'source'),
          type: createRef('response_0', index, 'type'),
          id: createRef('response_0', index, 'id'),
        },
      },
    ],
    result: [],
  })
const unseen = (program: Program) => [...findUnseenMistakes(program, sessions)].map(({ site }) => site)

test('a match that is first in the list hides a plain list, equal answers hide the index', () => {
  const several = [group('A', ['a']), group('B', ['b']), group('C', ['b'])]
  expect(unseen(queried(0, several))).toEqual([])
  expect(unseen(queried(0, [group('A', ['a']), group('B', ['b'])]))).toEqual([])
  expect(unseen(queried(0, several.slice(1)))).toContain('body[0]: querySessions')
  expect(unseen(queried(0, [group('A', []), group('B', ['a', 'b'])]))).toContain(
    'body[0]: user_variable_0.data.tags[1] → [0]',
  )
})

test.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
  'no program of %s is refused by the model, and many take no more memory',
  (_, scenario) => {
    const many = long ? 10_000 : 30
    const before = liveHeapMiB()
    let [refused, growth] = [0, 0]
    for (const { index, program } of generate(scenario, {
      ...defaultOptions,
      strategy: 'coverage',
      count: many,
      seed: 8,
    })) {
      for (const path of listExecutionPaths(program).keys())
        if (!interpret(program, scenario, buildInput(program, path)).ok) refused++
      if (index % 500 === 0) growth = Math.max(growth, liveHeapMiB() - before)
    }
    expect(refused).toBe(0)
    expect(growth).toBeLessThan(40)
  },
)
