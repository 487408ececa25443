/** The mutation report: how many mutants of references were detected, by operator, and which passed. */
import type { MutationReport, ScoredSample } from '@stateeval/contracts'
import { rateOutcomes } from './statistics/rate.ts'

type MutantSample = ScoredSample & { mutant: NonNullable<ScoredSample['mutant']> }
const isMutant = (sample: ScoredSample): sample is MutantSample => sample.mutant !== undefined

/**
 * The report's section on samples that are mutants; undefined if there are none. `order` lists operators in
 * display order; others follow by name.
 */
export function buildMutationReport(
  samples: readonly ScoredSample[],
  order: readonly string[] = [],
): MutationReport | undefined {
  const mutants = samples.filter(isMutant)
  if (mutants.length === 0) return undefined
  const others = [...new Set(mutants.map(({ mutant }) => mutant.operator))]
    .filter((id) => !order.includes(id))
    .sort()
  const operators = [...order, ...others].flatMap((operator) => {
    const members = mutants.filter(({ mutant }) => mutant.operator === operator)
    if (members.length === 0) return []
    const { disputed: _, ...counts } = count(members)
    return [{ operator, ...counts }]
  })
  const survivors = mutants
    .filter(({ mutant }) => mutant.outcome === 'survived')
    .map(({ case: id, sample, mutant: { operator, site } }) => ({ case: id, sample, operator, site }))
  return { ...count(mutants), operators, survivors }
}

function count(mutants: readonly MutantSample[]) {
  const of = (outcome: MutantSample['mutant']['outcome']) =>
    mutants.filter(({ mutant }) => mutant.outcome === outcome).length
  const byException = of('caught_by_exception')
  const byComparison = of('caught_by_comparison')
  const different = mutants.flatMap(({ case: id, mutant: { outcome } }) => {
    if (outcome === 'equivalent' || outcome === 'disputed') return []
    return [{ case: id, passed: outcome === 'not_scored' ? null : outcome !== 'survived' }]
  })
  const { rate: score, interval, method, unscored, bracket } = rateOutcomes(different)
  return {
    caught: byException + byComparison,
    byException,
    byComparison,
    equivalent: of('equivalent'),
    survived: of('survived'),
    disputed: of('disputed'),
    score,
    interval,
    ...(method && { method }),
    ...(unscored !== undefined && bracket && { unscored, bracket }),
  }
}
