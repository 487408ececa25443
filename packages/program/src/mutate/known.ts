/** Facts from the state machine about a program: the outputs of its calls, and the other existing calls. */
import type { JsonValue, Program } from '@stateeval/contracts'
import { at, type Path } from '../expr.ts'
import { inputOf, interpret } from '../interpret.ts'
import { cloneJson } from '../json.ts'
import { memoized } from '../memoized.ts'
import type { Phrase } from '../phrase.ts'
import type { Scenario } from '../scenario.ts'

export interface Known {
  /**
   * Answers of the calls, by the variables that they bind: on the first input, those of the other branch on
   * the flipped one.
   */
  answers: ReadonlyMap<string, JsonValue>
  /** How each API is called. */
  calls: readonly { api: string; call: Phrase['call'] }[]
}

export function knownOf<W>(program: Program, scenario: Scenario<W>): Known {
  const answers = new Map<string, JsonValue>()
  for (const choice of program.branch ? ([0, 1] as const) : ([0] as const))
    interpret(program, scenario, inputOf(program, choice), (call, { output }) => {
      if (call.binds && output !== undefined && !answers.has(call.binds))
        answers.set(call.binds, cloneJson(output))
    })
  return { answers, calls: callsOf(scenario) }
}

/** The call of each API of a scenario. */
export const callsOf = <W>({ operations }: Scenario<W>): Known['calls'] => callsAmong(operations)
const callsAmong = memoized((operations: readonly { id: string; say: Phrase }[]): Known['calls'] =>
  operations.map(({ id, say }) => ({ api: id, call: say.call })),
)

/** The list at a path of an output; undefined if there is none, or if the output is unknown. */
export function listAt(
  facts: Known | undefined,
  variable: string,
  path: Path,
): readonly JsonValue[] | undefined {
  const value = at(facts?.answers.get(variable), path)
  return Array.isArray(value) ? (value as JsonValue[]) : undefined
}
