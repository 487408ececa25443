/** Statistics of a generation, counted as its programs arrive; none is kept. */
import type { GenerationStatistics } from '@stateeval/contracts'
import type { GeneratedProgram } from '@stateeval/generate'
import type { GenerationEnd } from './thread/protocol.ts'

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

  /** @param apis number of operations that programs could call */
  statistics(
    { summary: { drops, exhausted }, feasible: found }: GenerationEnd,
    apis: number,
  ): GenerationStatistics {
    // The search may have missed what a program contains.
    const feasible = new Set([...found, ...this.pairs]).size
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
