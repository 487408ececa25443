/** Generated programs with their inputs as they are run: values at hand. */
import type { ExecutionInput, Program } from '@stateeval/contracts'
import { defaultOptions, generate, type GenerateOptions } from '@stateeval/generate'
import { listInputs, interpret, isExtreme, resolveTensors, type Scenario } from '@stateeval/program'
import type { ComparedOutcome } from '@stateeval/score'
import { tensorOperation } from '../index.ts'

export const scenario: Scenario = tensorOperation
export const long = process.env['STATEEVAL_LONG'] !== undefined

export interface Drawn {
  program: Program
  /** One, or one for each branch; then the same in the second world. */
  inputs: ExecutionInput[]
}

export function* programsOf(options: Partial<GenerateOptions>): Generator<Drawn> {
  for (const { program, artifacts = {} } of generate(scenario, {
    ...defaultOptions,
    strategy: 'coverage',
    ...options,
  })) {
    const inputs = listInputs(program).map((input): ExecutionInput => {
      const resolved = resolveTensors(input, (id) => artifacts[id])
      if (!resolved.ok) throw new Error(resolved.says)
      return resolved.value
    })
    yield { program, inputs }
  }
}

/** What the reference evaluation says a run leaves behind. */
export function predicted(program: Program, input: ExecutionInput): ComparedOutcome {
  const run = interpret(program, scenario, input)
  if (!run.ok) throw new Error(`${program.id} fails: ${run.error}`)
  return { result: run.result, world: run.world }
}

/** Whether the condition asks where the largest or smallest element stands. */
export const asksForExtreme = ({ branch }: Program): boolean => isExtreme(branch?.condition.path.at(-1))
