/** Generated programs with their inputs as they are run: values at hand. */
import type { Input, Program } from '@stateeval/contracts'
import { defaultOptions, generate, type GenerateOptions } from '@stateeval/generate'
import { inputOf, interpret, resolveTensors, type Scenario } from '@stateeval/program'
import type { ComparedOutcome } from '@stateeval/score'
import { tensorOperation } from '../index.ts'

export const scenario: Scenario = tensorOperation
export const long = process.env['STATEEVAL_LONG'] !== undefined

export interface Drawn {
  program: Program
  /** One, or one for each branch. */
  inputs: Input[]
}

export function* drawn(options: Partial<GenerateOptions>): Generator<Drawn> {
  for (const { program, artifacts = {} } of generate(scenario, {
    ...defaultOptions,
    strategy: 'coverage',
    ...options,
  })) {
    const choices = program.branch ? ([0, 1] as const) : ([0] as const)
    const inputs = choices.map((choice): Input => {
      const resolved = resolveTensors(inputOf(program, choice), (id) => artifacts[id])
      if (!resolved.ok) throw new Error(resolved.says)
      return resolved.value
    })
    yield { program, inputs }
  }
}

/** What the reference evaluation says a run leaves behind. */
export function predicted(program: Program, input: Input): ComparedOutcome {
  const run = interpret(program, scenario, input)
  if (!run.ok) throw new Error(`${program.id} fails: ${run.error}`)
  return { result: run.result, world: run.world }
}
