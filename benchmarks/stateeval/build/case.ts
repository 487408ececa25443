/** A test case put together from its parts, and what is known of it without a run. */
import {
  type Case,
  formatScenarioName,
  type Observation,
  type Oracle,
  type Program,
  type WorldState,
} from '@stateeval/contracts'
import { describeShape, type Scenario } from '@stateeval/program'

/** Creates the observation of a program that did not run: `source` takes the place of the sandbox. */
export const createUnrunObservation = (source: string, result: unknown, world: WorldState): Observation => ({
  ending: { status: 'completed', result },
  world,
  log: [],
  output: '',
  faults: [],
  wallMs: 0,
  sandbox: source,
})

/**
 * The id is the scenario and the first 12 digits of the program's id. Metrics are added to the kept ones,
 * later.
 */
export function createDraftCase({
  program,
  scenario,
  oracles,
  instruction,
  flags,
}: {
  program: Program
  scenario: Scenario
  oracles: Oracle[]
  instruction: string
  flags: string[]
}): Case {
  return {
    id: `${formatScenarioName(program.scenario)}-${program.id.slice(0, 12)}`,
    scenario: program.scenario,
    world: scenario.world,
    instruction,
    variables: program.variables.map(({ name, values }) => ({ name, type: describeShape(values[0]) })),
    program,
    oracles,
    flags,
    metrics: {},
  }
}
