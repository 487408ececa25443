/** Small valid values of the main contracts; a test overrides only the fields that matter to it. */
import {
  type Case,
  exampleProgram,
  type ExecutionInput,
  type Observation,
  type Program,
  type WorldState,
} from '@stateeval/contracts'
import { withId } from '@stateeval/program'

/** One call and its output as RESULT. */
export const program = (overrides: Partial<Omit<Program, 'id'>> = {}): Program =>
  withId({
    ...exampleProgram,
    ...overrides,
  })

export const input = (overrides: Partial<ExecutionInput> = {}): ExecutionInput => ({
  variables: {},
  world: { items: [] },
  ...overrides,
})

const worldState = (overrides: Partial<WorldState> = {}): WorldState => ({
  state: { items: [] },
  ids: { initial: [], created: [] },
  gone: [],
  ...overrides,
})

/** A run that completed with an empty list. */
export const observation = (overrides: Partial<Observation> = {}): Observation => ({
  ending: { status: 'completed', result: { response_0: [] } },
  world: worldState(),
  log: [],
  output: '',
  faults: [],
  wallMs: 1,
  sandbox: 'none',
  ...overrides,
})

export function testCase(overrides: Partial<Case> = {}): Case {
  const ownProgram = overrides.program ?? program()
  return {
    id: `${ownProgram.scenario}-${ownProgram.id.slice(0, 12)}`,
    scenario: ownProgram.scenario,
    world: 'session-service',
    instruction: 'List the sessions of web/settings. Return them as response_0.',
    variables: [],
    program: ownProgram,
    oracles: [{ input: input(), result: { response_0: [] }, world: worldState() }],
    flags: [],
    metrics: {},
    ...overrides,
  }
}
