/** Facts from the state machine about a program: the outputs of its calls, and the other existing calls. */
import type { JsonValue, Program } from '@stateeval/contracts'
import { listExecutionPaths } from '../blocks.ts'
import { readPath, type ValuePath } from '../expr.ts'
import { buildInput, interpret } from '../interpret.ts'
import { cloneJson } from '../json.ts'
import { memoize } from '../memoized.ts'
import type { CallPhrase } from '../phrase.ts'
import type { Scenario } from '../scenario.ts'

export interface KnownAnswers {
  /**
   * Answers of the calls, by the variables that they bind: on the first input whose path makes the call.
   */
  answers: ReadonlyMap<string, JsonValue>
  /** How each API is called. */
  calls: readonly { api: string; call: CallPhrase['call'] }[]
}

export function collectKnownAnswers<W>(program: Program, scenario: Scenario<W>): KnownAnswers {
  const answers = new Map<string, JsonValue>()
  for (const path of listExecutionPaths(program).keys())
    interpret(program, scenario, buildInput(program, path), (call, { output }) => {
      if (call.binds && output !== undefined && !answers.has(call.binds))
        answers.set(call.binds, cloneJson(output))
    })
  return { answers, calls: collectScenarioCalls(scenario) }
}

/** The call of each API of a scenario. */
export const collectScenarioCalls = <W>({ operations }: Scenario<W>): KnownAnswers['calls'] =>
  callsAmong(operations)
const callsAmong = memoize((operations: readonly { id: string; say: CallPhrase }[]): KnownAnswers['calls'] =>
  operations.map(({ id, say }) => ({ api: id, call: say.call })),
)

/** The list at a path of an output; undefined if there is none, or if the output is unknown. */
export function findKnownList(
  facts: KnownAnswers | undefined,
  variable: string,
  path: ValuePath,
): readonly JsonValue[] | undefined {
  const value = readPath(facts?.answers.get(variable), path)
  return Array.isArray(value) ? (value as JsonValue[]) : undefined
}
