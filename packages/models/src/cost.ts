/** Costs of tokens. */
import type { UsageBudget, ModelPrices, Usage } from '@stateeval/contracts'

export const noUsage: Usage = { requests: 0, promptTokens: 0, completionTokens: 0 }
export function addUsage(a: Usage, b: Usage): Usage {
  const estimated = (a.estimated ?? 0) + (b.estimated ?? 0)
  return {
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    ...(estimated > 0 && { estimated }),
  }
}

/** US dollars; null without prices. */
export const computeCostUsd = (
  { promptTokens, completionTokens }: Usage,
  prices: ModelPrices | undefined,
): number | null =>
  prices
    ? (promptTokens * prices.promptPerMillion + completionTokens * prices.completionPerMillion) / 1e6
    : null

/** Why a budget allows no further request, as a sentence; null if it does. */
export function explainOverBudget(
  { usd, tokens }: UsageBudget,
  usage: Usage,
  prices: ModelPrices | undefined,
): string | null {
  const usedTokens = usage.promptTokens + usage.completionTokens
  if (tokens !== undefined && usedTokens >= tokens)
    return `the budget of ${tokens} tokens is spent (${usedTokens} used)`
  const spentUsd = computeCostUsd(usage, prices)
  if (usd !== undefined && spentUsd !== null && spentUsd >= usd)
    return `the budget of $${usd} is spent ($${spentUsd.toFixed(4)} used)`
  return null
}
