/** How much of a scenario a list of programs covers, after each of them (StateEval, equation 3). */
import type { GenerationCoverage, GenerationOptions, Program } from '@stateeval/contracts'
import { feasiblePairs, operationsOf } from '@stateeval/generate'
import { adjacentCoverage, adjacentPairs, pairsOf, type Scenario } from '@stateeval/program'

type Options = Pick<GenerationOptions, 'length' | 'apis'>

/** How many pairs of neighbouring calls programs of these options can hold: what the search finds, and what these hold. */
export const feasibleWith = (scenario: Scenario, options: Options, pairs: Iterable<string>): number =>
  new Set([...feasiblePairs(scenario, options), ...pairs]).size

export function coverage(programs: readonly Program[], scenario: Scenario, options: Options): Omit<GenerationCoverage, 'dropped'> {
  const apis = operationsOf(scenario, options.apis).length
  const pairs = [...new Set(programs.flatMap(adjacentPairs))]
  const feasible = feasibleWith(scenario, options, pairs)
  const adjacent = adjacentCoverage(programs, apis, feasible)
  const linked = new Set<string>()
  return {
    apis,
    adjacentPairs: adjacent.map((after) => after.pairs),
    atc: adjacent.map(({ ofSquare }) => ofSquare),
    feasible,
    atcFeasible: adjacent.map(({ ofFeasible }) => ofFeasible ?? 0),
    transitionPairs: programs.map((program) => {
      for (const pair of pairsOf(program, scenario)) linked.add(pair)
      return linked.size
    }),
    pairs,
  }
}
