/** A test case put together from its parts. */
import type { Case, Oracle, Program } from '@stateeval/contracts'
import { describeTensor, isTensor, type Scenario, typeName } from '@stateeval/program'

const typeOf = (value: unknown) => (isTensor(value) ? describeTensor(value.$tensor) : typeName(value))

/** The id is the scenario and the first 12 digits of the program's id. Metrics are added to the kept ones, later. */
export function draftCase({
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
    id: `${program.scenario}-${program.id.slice(0, 12)}`,
    scenario: program.scenario,
    world: scenario.world,
    instruction,
    variables: program.variables.map(({ name, values }) => ({ name, type: typeOf(values[0]) })),
    program,
    oracles,
    flags,
    metrics: {},
  }
}
