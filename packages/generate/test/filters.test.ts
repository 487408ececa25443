import { describe, expect, test } from '@jest/globals'
import type { Block, Program } from '@stateeval/contracts'
import { createRng, inputOf, interpret } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { liveHeapMiB } from '@stateeval/testkit'
import { begin, compose } from '../src/compose.ts'
import { isObservable } from '../src/filters/observable.ts'
import { runOf } from '../src/filters/replay.ts'
import { defaultOptions, generate, operationsOf, optInApis } from '../src/index.ts'
import { Recorder } from '../src/recorder.ts'
import { strategies } from '../src/strategies/index.ts'
import { showsAll } from './by-running.ts'

const count = process.env['STATEEVAL_LONG'] ? 4000 : 60

/** With one output at most in RESULT: what makes the others shows no longer. */
function givingLess({ branch, result, ...rest }: Program): Program {
  const less = (block: Block): Block => ({ ...block, result: block.result.slice(-1) })
  if (branch)
    return { ...rest, branch: { ...branch, then: less(branch.then), otherwise: less(branch.otherwise) } }
  return { ...rest, result: result?.slice(-1) ?? [] }
}

describe.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
  'drafts of %s',
  (_, scenario) => {
    const search = { scenario, operations: operationsOf(scenario, optInApis(scenario)) }
    const drafts = Array.from({ length: count }, (_, index) => {
      const rng = createRng(`filters/${index}`)
      const recorder = new Recorder(search.operations.map(({ id }) => id))
      const walk = { ...search, recorder, rng, pairs: 'states' as const, accepts: () => true }
      const strategy = index % 2 ? strategies.random : strategies.coverage
      const draft = compose(strategy, walk, begin(scenario, rng.fork('start')), 3 + (index % 5), index % 3)
      return draft && index % 4 === 0 ? { ...draft, program: givingLess(draft.program) } : draft
    }).filter((draft) => draft !== null)

    test('do what their traces say', () => {
      expect(drafts.length).toBeGreaterThan(count / 2)
      for (const draft of drafts)
        for (const choice of [0, 1] as const) {
          const run = runOf(draft, scenario, choice)
          const interpreted = interpret(draft.program, scenario, inputOf(draft.program, choice))
          expect(interpreted).toMatchObject({ ok: true, branch: run?.takenBlock, ...run?.shown })
        }
    })

    test('are judged by their traces as they are by running them', () => {
      const verdicts = drafts.map((draft) => {
        const runs = ([0, 1] as const).flatMap((choice) => runOf(draft, scenario, choice) ?? [])
        return isObservable(draft, search, runs)
      })
      expect(verdicts).toEqual(drafts.map(({ program }) => showsAll(program, scenario)))
      expect(new Set(verdicts).size).toBe(2)
    })
  },
)

test.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
  'no program of %s is refused by the model, and many take no more memory',
  (_, scenario) => {
    const many = process.env['STATEEVAL_LONG'] ? 10_000 : 60
    const before = liveHeapMiB()
    let [refused, growth] = [0, 0]
    for (const { index, program } of generate(scenario, {
      ...defaultOptions,
      strategy: 'coverage',
      count: many,
      seed: 8,
    })) {
      for (const choice of [0, 1] as const)
        if (!interpret(program, scenario, inputOf(program, choice)).ok) refused++
      if (index % 500 === 0) growth = Math.max(growth, liveHeapMiB() - before)
    }
    expect(refused).toBe(0)
    expect(growth).toBeLessThan(40)
  },
)
