/** The oracle held against more than a thousand mutants, by two judges that share no code. */
import { expect, test } from '@jest/globals'
import type { Case, ExecutionInput, Observation, Program, ProgramStep } from '@stateeval/contracts'
import {
  createRng,
  emit,
  isCall,
  collectKnownAnswers,
  mutate,
  mutationOperators,
  withId,
} from '@stateeval/program'
import { compare, type ComparedOutcome } from '@stateeval/score'
import { parse } from 'acorn'
import { hasSameObservation } from '../mutants/agree.ts'
import { cases, predict, scenario } from './cases.ts'

const all = cases(60, 3)
const perCase = 17

/** The API that the documentation has at a call's endpoint: what the service would do. */
const apis = new Map([
  ['GET /api/sessions/{source}/{type}', 'listSessions'],
  ['POST /api/sessions/{source}/{type}', 'addSession'],
  ['GET /api/sessions/{source}/{type}/query', 'querySessions'],
  ['PUT /api/sessions/{source}/{type}/{id}', 'updateSession'],
  ['DELETE /api/sessions/{source}/{type}/{id}', 'deleteSession'],
  ['GET /api/sessions/{source}/{type}/{id}', 'getSession'],
])
function served(program: Program): Program {
  const steps = (list: ProgramStep[]) =>
    list.map((step) =>
      isCall(step) && step.kind === 'http'
        ? { ...step, api: apis.get(`${step.method} ${step.path}`) ?? 'unknown' }
        : step,
    )
  const { branch } = program
  const block = (name: 'then' | 'otherwise') => ({ ...branch![name], steps: steps(branch![name].steps) })
  return withId({
    ...program,
    body: steps(program.body),
    ...(branch ? { branch: { ...branch, then: block('then'), otherwise: block('otherwise') } } : {}),
  })
}
const parses = (code: string) =>
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowReturnOutsideFunction: true })
const mutants = all.flatMap((c) => {
  const facts = collectKnownAnswers(c.program, scenario)
  return Array.from({ length: perCase }, (_, n) => ({
    c,
    mutation: mutate(c.program, createRng(`${c.id}/${n}`), mutationOperators, facts)!,
  }))
})

test('a mutant differs from its program and is a program', () => {
  for (const { c, mutation } of mutants) {
    expect(mutation.program.id).not.toBe(c.program.id)
    expect(() => parses(emit(mutation.program, 'javascript') as string)).not.toThrow()
  }
})

test('the same program and seed give the same mutant', () => {
  for (const { program } of all.slice(0, 10))
    expect(mutate(program, createRng(1))).toEqual(mutate(program, createRng(1)))
})

test('the scorer fails a mutant exactly where the independent judge sees a difference; nearly all are caught', () => {
  let [caught, survived, runs] = [0, 0, 0]
  for (const { c, mutation } of mutants) {
    const program = served(mutation.program)
    const failed = c.oracles.map((oracle) => {
      const observation = predict(program, oracle.input)
      const reference: Observation = {
        ...observation,
        ending: { status: 'completed', result: oracle.result },
        world: oracle.world,
      }
      const equal =
        observation.ending.status === 'completed' &&
        compare(oracle, outcomeOf(observation), scenario.compare).equal
      runs++
      expect([mutation.site, equal]).toEqual([
        mutation.site,
        hasSameObservation(reference, observation, ['items']),
      ])
      return !equal
    })
    if (failed.some(Boolean)) caught++
    else if (differsElsewhere(c, program)) survived++
  }
  expect(mutants.length).toBeGreaterThanOrEqual(1000)
  expect(runs).toBeGreaterThan(mutants.length)
  expect(caught / (caught + survived)).toBeGreaterThanOrEqual(0.95)
})

const outcomeOf = ({ ending, world }: ReturnType<typeof predict>): ComparedOutcome => ({
  result: ending.status === 'completed' ? ending.result : null,
  world: world!,
})
/** Further inputs of a case with what the reference shows on them: made once, where a mutant passes. */
const further = new Map<string, { input: ExecutionInput; reference: Observation }[]>()
function differsElsewhere(c: Case, program: Program): boolean {
  const make = (n: number) => {
    const input = scenario.vary(c.program, createRng(`further/${c.id}/${n}`))
    return { input, reference: predict(c.program, input) }
  }
  const runs = further.get(c.id) ?? Array.from({ length: 20 }, (_, n) => make(n))
  further.set(c.id, runs)
  return runs.some(
    ({ input, reference }) => !hasSameObservation(reference, predict(program, input), ['items']),
  )
}
