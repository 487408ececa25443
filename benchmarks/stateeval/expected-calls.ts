/** What the reference does on an input, and what the documentation offers: what root causes are read against. */
import type { Case, Step } from '@stateeval/contracts'
import { executionPaths, interpret, isCall, type Scenario, writtenSteps } from '@stateeval/program'
import { documentedEndpoints, type Endpoint } from '@stateeval/score'

const endpointsIn = (steps: readonly Step[]): Endpoint[] =>
  steps.flatMap((step) => (isCall(step) && step.kind === 'http' ? [{ method: step.method, path: step.path }] : []))

/** The HTTP calls of the path that the reference takes on an input, and the keys of RESULT there. */
export function expectedOn(c: Case, input: number, scenario: Scenario): { expectedCalls: Endpoint[]; resultKeys: string[] } {
  const oracle = c.oracles[input] ?? c.oracles[0]
  const run = oracle && c.program.branch ? interpret(c.program, scenario, oracle.input) : undefined
  const paths = executionPaths(c.program)
  const path = paths.find(({ branch }) => run?.ok && branch === run.branch) ?? paths[0]
  const keys = oracle?.result !== null && typeof oracle?.result === 'object' ? Object.keys(oracle.result) : []
  return { expectedCalls: endpointsIn(path?.steps ?? []), resultKeys: keys }
}

/** Every endpoint that the documentation names; those of the program are in any documentation. */
export function endpointsOf(c: Case, documentation: string): Endpoint[] {
  const all = [...documentedEndpoints(documentation), ...endpointsIn(writtenSteps(c.program))]
  return all.filter(({ method, path }, n) => all.findIndex((other) => other.method === method && other.path === path) === n)
}
