/** Tokens as Inspect counts them. */
import type { JsonValue, Usage } from '@stateeval/contracts'
import { addUsage, computeCostUsd } from '@stateeval/models'
import { getModelName, getPrices, type EvaluationOwner } from '@stateeval/jobs'

const formatTokens = ({ promptTokens, completionTokens }: Usage, cost: number | null): JsonValue => ({
  input_tokens: promptTokens,
  output_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  ...(cost !== null && { total_cost: cost }),
})

/** The usage of the model under test and of further parties: by model, for further parties also by part. */
export function buildUsage(
  { model, parties = {} }: Pick<EvaluationOwner, 'model' | 'parties'>,
  used: { usage: Usage; parties?: Readonly<Record<string, Usage>> },
): { model_usage: JsonValue; role_usage: JsonValue } {
  const byModel = new Map<string, { usage: Usage; cost: number | null }>()
  const add = (name: string, usage: Usage, cost: number | null) => {
    const { usage: sum, cost: costs } = byModel.get(name) ?? { usage: null, cost: null }
    const total = cost === null && costs === null ? null : (cost ?? 0) + (costs ?? 0)
    byModel.set(name, { usage: sum ? addUsage(sum, usage) : usage, cost: total })
  }
  // Built-in models and answers made elsewhere ask nobody.
  if (used.usage.requests > 0)
    add(getModelName(model), used.usage, computeCostUsd(used.usage, getPrices(model)))
  const roles: Record<string, JsonValue> = {}
  for (const [part, usage] of Object.entries(used.parties ?? {})) {
    const { name = part, settings } = parties[part] ?? {}
    const cost = computeCostUsd(usage, settings?.prices)
    add(name, usage, cost)
    roles[part] = formatTokens(usage, cost)
  }
  const models = [...byModel].map(([name, { usage, cost }]) => [name, formatTokens(usage, cost)])
  return { model_usage: Object.fromEntries(models) as JsonValue, role_usage: roles }
}
