/** The oracle held against mutants on real values, by two judges that share no code. */
import { expect, test } from '@jest/globals'
import type { ExecutionInput, Observation, Program } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import {
  type ArtifactBytes,
  createRng,
  buildInput,
  interpret,
  mutate,
  resolveTensors,
  type Scenario,
} from '@stateeval/program'
import { compare, type ComparedOutcome } from '@stateeval/score'
import { hasSameObservation } from '../../../benchmarks/stateeval/mutants/agree.ts'
import { tensorOperation } from '../index.ts'

const scenario: Scenario = tensorOperation
const long = process.env['STATEEVAL_LONG'] !== undefined

function observe(program: Program, input: ExecutionInput): Observation {
  const run = interpret(program, scenario, input)
  const ending: Observation['ending'] = run.ok
    ? { status: 'completed', result: run.result }
    : { status: 'threw', error: { name: 'RuntimeError', message: run.error } }
  return { ending, world: run.world, log: [], output: '', faults: [], wallMs: 0, sandbox: 'none' }
}
const outcomeOf = ({ ending, world }: Observation): ComparedOutcome => ({
  result: ending.status === 'completed' ? ending.result : null,
  world: world!,
})

function inputsOf(program: Program, artifacts: ArtifactBytes): ExecutionInput[] {
  return (program.branch ? ([0, 1] as const) : ([0] as const)).map((choice) => {
    const resolved = resolveTensors(buildInput(program, choice), (id) => artifacts[id])
    if (!resolved.ok) throw new Error(resolved.says)
    return resolved.value
  })
}

test('nearly all mutants are caught, and both judges see the same', () => {
  let [caught, survived, equivalent] = [0, 0, 0]
  const missed: string[] = []
  const operators = new Set<string>()
  for (const { program, artifacts = {} } of generate(scenario, {
    ...defaultOptions,
    strategy: 'coverage',
    seed: 3,
    count: long ? 200 : 12,
  })) {
    const comparison = tensorOperation.compareFor!(program)
    const inputs = inputsOf(program, artifacts)
    const truths = inputs.map((input) => observe(program, input))
    const further: { input: ExecutionInput; truth: Observation }[] = []
    for (let n = 0; n < 12; n++) {
      const mutation = mutate(program, createRng(`${program.id}/${n}`))!
      operators.add(mutation.operator)
      const wrong = inputs.map((input, index) => {
        const [truth, observation] = [truths[index]!, observe(mutation.program, input)]
        const equal =
          observation.ending.status === 'completed' &&
          compare(outcomeOf(truth), outcomeOf(observation), comparison).equal
        expect([mutation.operator, mutation.site, equal]).toEqual([
          mutation.operator,
          mutation.site,
          hasSameObservation(truth, observation, []),
        ])
        return !equal
      })
      if (wrong.some(Boolean)) {
        caught++
        continue
      }
      if (further.length === 0)
        for (let at = 0; at < 6; at++) {
          const input = scenario.vary(program, createRng(`${program.id}/further/${at}`))
          further.push({ input, truth: observe(program, input) })
        }
      if (
        further.every(({ input, truth }) => hasSameObservation(truth, observe(mutation.program, input), []))
      ) {
        equivalent++
        continue
      }
      survived++
      missed.push(`${mutation.operator} ${mutation.site}`)
    }
  }
  if (long)
    console.log(`${caught} caught, ${equivalent} equivalent, ${survived} survived:\n${missed.join('\n')}`)
  expect(caught).toBeGreaterThan(110)
  expect(caught / (caught + survived)).toBeGreaterThanOrEqual(0.95)
  if (long)
    for (const operator of [
      'swapped_elements',
      'changed_literal',
      'wrong_function',
      'wrong_element',
      'wrong_variable',
      'swapped_arguments',
    ])
      expect(operators).toContain(operator)
})
