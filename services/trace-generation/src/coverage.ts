/** How much of a scenario a list of programs covers, after each of them (StateEval, equation 3). */
import type { GenerationCoverage, Program } from '@stateeval/contracts'
import { adjacentPairs, pairsOf, type Scenario } from '@stateeval/program'

export function coverage(programs: readonly Program[], scenario: Scenario, apis: number): Omit<GenerationCoverage, 'dropped'> {
  const adjacent = new Set<string>()
  const linked = new Set<string>()
  const after = programs.map((program) => {
    for (const pair of adjacentPairs(program)) adjacent.add(pair)
    for (const pair of pairsOf(program, scenario)) linked.add(pair)
    return { adjacent: adjacent.size, linked: linked.size }
  })
  return {
    apis,
    adjacentPairs: after.map((counts) => counts.adjacent),
    atc: after.map((counts) => counts.adjacent / apis ** 2),
    transitionPairs: after.map((counts) => counts.linked),
    pairs: [...adjacent],
  }
}
