/** Small valid values of the main contracts; a test names what matters to it and takes the rest. */
import type { Case, Input, Observation, Program, WorldState } from '@stateeval/contracts'
import { withId } from '@stateeval/program'

/** One call and its output as RESULT. */
export const program = (overrides: Partial<Omit<Program, 'id'>> = {}): Program =>
  withId({
    schema: 1,
    scenario: 'session-service',
    variables: [],
    world: { items: [] },
    body: [
      {
        kind: 'http',
        api: 'listSessions',
        method: 'GET',
        path: '/api/sessions/{source}/{type}',
        args: { source: { kind: 'literal', value: 'web' }, type: { kind: 'literal', value: 'settings' } },
        binds: 'response_0',
      },
    ],
    result: [{ key: 'response_0', value: { kind: 'reference', variable: 'response_0', path: [] } }],
    ...overrides,
  })

export const input = (overrides: Partial<Input> = {}): Input => ({ variables: {}, world: { items: [] }, ...overrides })

export const worldState = (overrides: Partial<WorldState> = {}): WorldState => ({
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
  const made = overrides.program ?? program()
  return {
    id: `${made.scenario}-${made.id.slice(0, 12)}`,
    scenario: made.scenario,
    world: 'session-service',
    instruction: 'List the sessions of web/settings. Return them as response_0.',
    variables: [],
    program: made,
    oracles: [{ input: input(), result: { response_0: [] }, world: worldState() }],
    flags: [],
    metrics: {},
    ...overrides,
  }
}
