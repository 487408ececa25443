/** Statistics of a generation, counted as its programs arrive; none is kept. */
import type { GenerationOptions, GenerationStatistics } from '@stateeval/contracts'
import { type GeneratedProgram, type GenerationSummary, selectOperations } from '@stateeval/generate'
import type { Scenario } from '@stateeval/program'
import { countFeasiblePairs } from './coverage.ts'

export class ProgramCounter {
  programs = 0
  private branches = 0
  private deadBranches = 0
  private readonly pairs = new Set<string>()
  private adjacentPairs = 0
  private transitionPairs = 0

  add({
    program,
    flags,
    adjacent,
    adjacentCovered,
    pairsCovered,
  }: Omit<GeneratedProgram, 'artifacts'>): void {
    this.programs++
    if (program.branch) this.branches++
    if (flags.includes('dead_branch')) this.deadBranches++
    for (const pair of adjacent) this.pairs.add(pair)
    this.adjacentPairs = adjacentCovered
    this.transitionPairs = pairsCovered
  }

  statistics(
    { drops, exhausted }: GenerationSummary,
    scenario: Scenario,
    options: GenerationOptions,
  ): GenerationStatistics {
    const apis = selectOperations(scenario, options).length
    const feasible = countFeasiblePairs(scenario, options, this.pairs)
    const { programs, branches, deadBranches, adjacentPairs, transitionPairs } = this
    return {
      programs,
      branches,
      deadBranches,
      exhausted,
      dropped: drops,
      apis,
      adjacentPairs,
      atc: adjacentPairs / apis ** 2,
      feasible,
      // No pair is feasible where the APIs allow no program.
      ...(feasible > 0 && { atcFeasible: adjacentPairs / feasible }),
      transitionPairs,
    }
  }
}
