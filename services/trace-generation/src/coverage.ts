/** How much of a scenario a list of programs covers, after each of them (StateEval, equation 3). */
import type { GenerationCoverage, GenerationOptions, Program } from '@stateeval/contracts'
import { listFeasiblePairs, selectOperations } from '@stateeval/generate'
import { computeAdjacentCoverage, listAdjacentPairs, collectPairs, type Scenario } from '@stateeval/program'

type CoverageOptions = Pick<GenerationOptions, 'length' | 'apis' | 'only'>

/**
 * The number of pairs of neighbouring calls that programs with these options can contain: pairs that the
 * search finds, and pairs in these programs.
 */
const countFeasiblePairs = (scenario: Scenario, options: CoverageOptions, pairs: Iterable<string>): number =>
  new Set([...listFeasiblePairs(scenario, options), ...pairs]).size

/**
 * Programs are counted as they arrive, and none is kept.
 *
 * @param known the number of feasible pairs, where the generation knows it
 */
export async function measureCoverage(
  programs: AsyncIterable<Program>,
  scenario: Scenario,
  options: CoverageOptions,
  known?: number,
): Promise<Omit<GenerationCoverage, 'dropped'>> {
  const adjacent = new Set<string>()
  const linked = new Set<string>()
  const adjacentAfter: number[] = []
  const linkedAfter: number[] = []
  for await (const program of programs) {
    for (const pair of listAdjacentPairs(program)) adjacent.add(pair)
    for (const pair of collectPairs(program, scenario)) linked.add(pair)
    adjacentAfter.push(adjacent.size)
    linkedAfter.push(linked.size)
  }
  const apis = selectOperations(scenario, options).length
  const feasible = known ?? countFeasiblePairs(scenario, options, adjacent)
  const after = adjacentAfter.map((pairs) => computeAdjacentCoverage(pairs, apis, feasible))
  return {
    apis,
    adjacentPairs: adjacentAfter,
    atc: after.map(({ ofSquare }) => ofSquare),
    feasible,
    atcFeasible: after.map(({ ofFeasible }) => ofFeasible ?? 0),
    transitionPairs: linkedAfter,
    pairs: [...adjacent],
  }
}
