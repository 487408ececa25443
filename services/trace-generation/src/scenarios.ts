/** Scenarios in the contract's form. */
import type { ScenarioSummary } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'

export const summarizeScenario = ({
  id,
  title,
  version,
  world,
  operations,
  options,
}: Scenario): ScenarioSummary => ({
  id,
  title,
  version,
  world,
  operations: operations.map((operation) => ({ id: operation.id, optIn: operation.optIn === true })),
  ...(options && { options }),
})
