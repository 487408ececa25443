/** The oracle held against mutants, by two judges that share no code. */
import { expect, test } from '@jest/globals'
import type { ExecutionInput, Observation, Program } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import { createRng, listPathInputs, interpret, mutate, type Scenario } from '@stateeval/program'
import { compare } from '@stateeval/score'
import { hasSameObservation } from '../../../benchmarks/stateeval/mutants/agree.ts'
import { elevenLabsMcp } from '../index.ts'

const scenario: Scenario = elevenLabsMcp
const long = process.env['STATEEVAL_LONG'] !== undefined

function observe(program: Program, input: ExecutionInput): Observation {
  const run = interpret(program, scenario, input)
  return {
    ending: run.ok
      ? { status: 'completed', result: run.result }
      : { status: 'threw', error: { name: 'ToolError', message: run.error } },
    world: run.world,
    log: [],
    output: '',
    faults: [],
    wallMs: 0,
    sandbox: 'none',
  }
}
const equal = (a: Observation, b: Observation) =>
  a.ending.status === 'completed' &&
  b.ending.status === 'completed' &&
  compare(
    { result: a.ending.result, world: a.world! },
    { result: b.ending.result, world: b.world! },
    scenario.compare,
  ).equal

test('nearly all mutants are caught, and both judges see the same', () => {
  let [caught, survived] = [0, 0]
  const missed: string[] = []
  for (const { program } of generate(scenario, { ...defaultOptions, seed: 3, count: long ? 200 : 30 })) {
    const inputs = listPathInputs(program)
    const truths = inputs.map((input) => observe(program, input))
    for (let n = 0; n < 10; n++) {
      const mutation = mutate(program, createRng(`${program.id}/${n}`))!
      const wrong = inputs.map((input, index) => {
        const [truth, observation] = [truths[index]!, observe(mutation.program, input)]
        expect([mutation.site, equal(truth, observation)]).toEqual([
          mutation.site,
          hasSameObservation(truth, observation, []),
        ])
        return !equal(truth, observation)
      })
      if (wrong.some(Boolean)) {
        caught++
        continue
      }
      const elsewhere = Array.from({ length: 12 }, (_, at) =>
        scenario.vary(program, createRng(`${program.id}/further/${at}`)),
      )
      if (
        elsewhere.every((input) =>
          hasSameObservation(observe(program, input), observe(mutation.program, input), []),
        )
      )
        continue
      survived++
      missed.push(`${mutation.operator} ${mutation.site}`)
    }
  }
  if (long) console.log(`${caught} caught, ${survived} survived:\n${missed.join('\n')}`)
  expect(caught).toBeGreaterThan(250)
  expect(caught / (caught + survived)).toBeGreaterThanOrEqual(0.95)
})
