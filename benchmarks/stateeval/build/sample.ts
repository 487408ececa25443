/** A set from its programs' ends: what is kept, what was filtered and why, and its statistics. */
import type { BuildOptions, Case, FilterCount, SetStatistics } from '@stateeval/contracts'
import {
  type BuiltPart,
  computeSpread,
  createRng,
  isCall,
  listAdjacentPairs,
  listWrittenSteps,
  roundStatistic,
} from '@stateeval/program'

type CasePart = BuiltPart<Case>

/** A seeded random sample of a scenario's cases, in their order. Same cases, same sample. */
export function sample<T>(
  cases: readonly T[],
  scenario: string,
  { keep: count, seed }: Pick<BuildOptions, 'keep' | 'seed'>,
): T[] {
  const indices = new Set(
    createRng(`${seed}/sample/${scenario}`).sample(
      cases.map((_, index) => index),
      count,
    ),
  )
  return cases.filter((_, index) => indices.has(index))
}

/** The sample of the cases that passed, in the order of generation. */
export const keep = ({ scenario, ends }: CasePart, options: Pick<BuildOptions, 'keep' | 'seed'>): Case[] =>
  sample(
    ends.flatMap((end) => (end.status === 'passed' ? [end.case] : [])),
    scenario,
    options,
  )

export function filterCounts({ scenario, ends, generation: { dropped } }: CasePart): FilterCount[] {
  const counts = new Map<string, FilterCount>()
  for (const end of ends) {
    if (end.status !== 'dropped') continue
    const { phase, reason } = end
    const key = `${phase}/${reason}`
    counts.set(key, { scenario, phase, reason, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const generation = Object.entries(dropped).flatMap(([reason, count]) =>
    count > 0 ? [{ scenario, phase: 'generate', reason: reason.replaceAll('_', ' '), count }] : [],
  )
  return [
    ...generation,
    ...[...counts.values()].sort((a, b) => (`${a.phase}/${a.reason}` < `${b.phase}/${b.reason}` ? -1 : 1)),
  ]
}

/** A set's row of the paper's Table I. */
export function computeSetStatistics(
  { scenario, generation: { apis, feasible } }: CasePart,
  cases: readonly Case[],
): SetStatistics {
  const names = [...new Set(cases.flatMap(({ metrics }) => Object.keys(metrics)))].sort()
  const metrics = names.map(
    (name) => [name, computeSpread(cases.flatMap(({ metrics: all }) => all[name] ?? []))] as const,
  )
  const called = new Set(
    cases.flatMap(({ program }) =>
      listWrittenSteps(program)
        .filter(isCall)
        .map(({ api }) => api),
    ),
  )
  const pairs = new Set(cases.flatMap(({ program }) => listAdjacentPairs(program)))
  return {
    scenario,
    cases: cases.length,
    apis: called.size,
    branches: cases.filter(({ program }) => program.branch).length,
    metrics: Object.fromEntries(metrics),
    atc: roundStatistic(pairs.size / apis ** 2),
    ...(feasible && { feasible, atcFeasible: roundStatistic(pairs.size / feasible) }),
  }
}
