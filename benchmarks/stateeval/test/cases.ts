/** Cases and runs as the state machine predicts them: real programs, no sandbox. */
import type { Case, ExecutionInput, Observation, Program } from '@stateeval/contracts'
import { defaultOptions, type GenerateOptions, generate } from '@stateeval/generate'
import { type BenchmarkHost, buildInput, interpret, listPathInputs, type Scenario } from '@stateeval/program'
import { sessionService } from '@stateeval/scenario-session-service'
import { stateeval } from '../index.ts'

export const scenario: Scenario = sessionService
export const host: BenchmarkHost = {
  scenario(id) {
    if (id !== scenario.id) throw new RangeError(`no scenario ${id}`)
    return scenario
  },
}
export const benchmark = stateeval(host)

/** What running a program on an input would show. */
export function predict(program: Program, input: ExecutionInput): Observation {
  const run = interpret(program, scenario, input)
  const rest = { world: run.world, log: [], output: '', faults: [], wallMs: 1, sandbox: 'prediction' }
  const ending: Observation['ending'] = run.ok
    ? { status: 'completed', result: JSON.parse(JSON.stringify(run.result)) }
    : { status: 'threw', error: { name: 'Error', message: run.error } }
  return { ending, ...rest }
}

export function caseOf(program: Program, flags: readonly string[] = []): Case {
  const inputs = flags.includes('dead_branch') ? [buildInput(program)] : listPathInputs(program)
  return {
    id: `${program.scenario}-${program.id.slice(0, 12)}`,
    scenario: program.scenario,
    world: scenario.world,
    instruction: 'Do it, and return it as `listing`.',
    variables: program.variables.map(({ name, values }) => ({ name, type: typeof values[0] })),
    program,
    oracles: inputs.map((input) => {
      const { ending, world } = predict(program, input)
      if (ending.status !== 'completed' || world === null) throw new Error('a generated program fails')
      return { input, result: ending.result, world }
    }),
    flags: [...flags],
    metrics: {},
  }
}

export const cases = (count: number, seed = 1, options: Partial<GenerateOptions> = {}): Case[] =>
  // `planned` looks ahead, which takes longer; what is tested here holds for any program.
  [...generate(scenario, { ...defaultOptions, strategy: 'coverage', count, seed, ...options })].map(
    ({ program, flags }) => caseOf(program, flags),
  )
