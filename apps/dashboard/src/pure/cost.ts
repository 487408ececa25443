/** The cost of an evaluation: the model under test, and the models that play further parts. */
import type { EvaluationSummary } from '@stateeval/contracts'

type SummaryRun = Pick<EvaluationSummary['run'], 'usage' | 'costUsd' | 'parties' | 'secondOpinion'>

interface PartyCost {
  /** `model`, or the part. */
  of: string
  tokens: number
  usd: number | null
}

/** The model under test, then the others. */
export const listCosts = ({ usage, costUsd, parties = {}, secondOpinion }: SummaryRun): PartyCost[] =>
  [
    ...[['model', { ...usage, costUsd }] as const],
    ...Object.entries(parties),
    ...(secondOpinion ? [['second opinion', secondOpinion] as const] : []),
  ].map(([of, one]) => ({ of, tokens: one.promptTokens + one.completionTokens, usd: one.costUsd }))

/** The sum of all costs that are known; null if none is. */
export function sumKnownCosts(costs: readonly PartyCost[]): number | null {
  const known = costs.flatMap(({ usd }) => usd ?? [])
  return known.length === 0 ? null : known.reduce((sum, usd) => sum + usd, 0)
}
