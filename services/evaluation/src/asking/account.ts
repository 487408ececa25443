/**
 * Accounts of owners for their questions to models: where answers come from, the budget, and whether the
 * owner has ended.
 */
import type { UsageBudget, ModelPrices, Usage } from '@stateeval/contracts'
import { type Account, addUsage, costUsd, type Ledger, noUsage, overBudget } from '@stateeval/models'
import { modelsOf, pricesOf } from '../choices/choice.ts'
import { asksOpinions, type EvaluationOwner, opinionStage, type Owner } from '../owners/owner.ts'
import { progressOf, type ProgressReader } from '../owners/stage.ts'
import { isRecording } from '../recordings/recordings.ts'

/** Stores that tell how much an owner has used. */
export interface Books extends ProgressReader {
  ledger: Ledger
}

/**
 * Finds, for several models: what a budget is held against counts them all as dear as the dearest, so it is
 * never exceeded.
 */
const highest = (all: readonly ModelPrices[]): ModelPrices | null =>
  all.length === 0
    ? null
    : {
        promptPerMillion: Math.max(...all.map((one) => one.promptPerMillion)),
        completionPerMillion: Math.max(...all.map((one) => one.completionPerMillion)),
      }

interface Terms {
  recording?: string
  responses?: readonly string[]
  fresh?: boolean
  prices?: ModelPrices
}
const termsWith = (
  { recording, responses, fresh }: Terms,
  prices: ModelPrices | null | undefined,
): Terms => ({
  ...(recording && { recording }),
  ...(responses && { responses }),
  ...(fresh && { fresh }),
  ...(prices && { prices }),
})

/** From where answers are taken, and what they cost. `part`: of whoever plays that part in an evaluation. */
function termsOf(owner: Owner, part?: string): Terms {
  if (owner.entity === 'evaluation' && owner.parties && !asksOpinions(owner)) {
    const all = [owner.model, ...Object.values(owner.parties)]
    const prices = highest(all.flatMap((one) => (one.kind === 'endpoint' && one.settings.prices) || []))
    const choice = part === undefined ? owner.model : owner.parties[part]
    return termsWith(choice?.kind === 'endpoint' ? choice : {}, prices)
  }
  const agents = 'agents' in owner ? owner.agents : undefined
  if (agents) {
    const prices = highest(modelsOf(agents).flatMap(({ settings }) => settings.prices ?? []))
    return termsWith(agents, prices)
  }
  const choice = asksOpinions(owner)
    ? owner.opinion.by
    : owner.entity === 'evaluation'
      ? owner.model
      : owner.origin === 'dataset'
        ? owner.writing.model
        : undefined
  return choice?.kind === 'endpoint' ? termsWith(choice, choice.settings.prices) : {}
}

/**
 * The account of the owner's stage. Second opinions have a separate account, because they come from another
 * model at other prices.
 */
export function accountOf(books: Books, owner: Owner, part?: string): Account {
  const terms = termsOf(owner, part)
  const { prices } = terms
  const budget = 'budget' in owner ? owner.budget : undefined
  const optional = asksOpinions(owner)
  return {
    id: optional ? `${owner.id}/${opinionStage}` : owner.id,
    by: owner.id,
    ...sourcesOf(terms),
    ...(optional && { optional }),
    ended: () => usageOf(books, owner),
    ...(budget && {
      over: async (usage) =>
        asksOpinions(owner)
          ? overWithOpinions(books, owner, budget, usage, prices)
          : overWith(owner, overBudget(budget, usage, prices)),
    }),
  }
}

/** The sources of an account's answers. */
export const sourcesOf = ({
  recording,
  responses,
  fresh,
}: Terms): Pick<Account, 'recording' | 'responses' | 'fresh'> => ({
  ...(recording && { recording }),
  ...(responses && {
    responses: responses.map((id) => (isRecording(id) ? { recording: id } : { by: id })),
  }),
  ...(fresh && { fresh }),
})

async function usageOf(books: ProgressReader, owner: Owner): Promise<Usage> {
  const { partyRequests, partyPromptTokens, partyCompletionTokens, ...ofModel } = await progressOf(
    books,
    owner,
  )
  return addUsage(probedUsage(owner), {
    requests: ofModel.requests + partyRequests,
    promptTokens: ofModel.promptTokens + partyPromptTokens,
    completionTokens: ofModel.completionTokens + partyCompletionTokens,
  })
}

/** Usage of the probe before an evaluation used. */
const probedUsage = (owner: Owner): Usage =>
  (owner.entity === 'evaluation' ? owner.probed?.usage : undefined) ?? noUsage

const overWith = (owner: Owner, over: string | null) =>
  over === null
    ? null
    : owner.entity === 'evaluation'
      ? `stopped: ${withLargerBudget(owner.id, over)}`
      : `stopped: ${over}; build again with a larger one; earlier answers are reused`

/** Second opinions come on top of what the model under test used, each at its own prices. */
async function overWithOpinions(
  books: Books,
  owner: EvaluationOwner,
  budget: UsageBudget,
  usage: Usage,
  prices: ModelPrices | undefined,
): Promise<string | null> {
  const ofSamples = await spentBy(books, { ...owner, stage: 'samples' })
  const usd =
    budget.usd === undefined
      ? undefined
      : Math.max(0, budget.usd - (costUsd(ofSamples, pricesOf(owner.model)) ?? 0))
  const tokens =
    budget.tokens === undefined
      ? undefined
      : Math.max(0, budget.tokens - ofSamples.promptTokens - ofSamples.completionTokens)
  const rest = { ...(usd !== undefined && { usd }), ...(tokens !== undefined && { tokens }) }
  return overBudget(rest, usage, prices) === null ? null : 'the budget was used up before this question'
}

/** How to continue an evaluation that has spent its budget; `over` is the result of `overBudget`. */
export const withLargerBudget = (id: string, over: string) =>
  `${over}; resume the evaluation with a larger one: POST /v1/evaluations/${id}/resume {"budget": {${over.includes('$') ? '"usd"' : '"tokens"'}: …}}`

/** The usage of the owner's questions in its stage. */
export const spentBy = (books: Books, owner: Owner): Promise<Usage> =>
  books.ledger.usageOf(accountOf(books, owner))

/**
 * Tells whether the endpoint has ever answered for this owner, including answers reused from earlier
 * evaluations.
 */
export async function wasAnswered(books: Books, owner: Owner): Promise<boolean> {
  // Only failed answers have second opinions.
  if (asksOpinions(owner)) return true
  if ((await spentBy(books, owner)).requests > probedUsage(owner).requests || books.ledger.answers(owner) > 0)
    return true
  // Kept answers cost nothing; what they led to has ended all the same. Builds count no item as not scored.
  const { items, passed, notScored } = await progressOf(books, owner)
  return owner.entity === 'evaluation' ? owner.stage === 'samples' && items > notScored : passed > 0
}

/**
 * Forgets refusals when a stopped owner resumes, because the endpoint may accept the same questions now.
 */
export function forgetRefused({ ledger }: Books, id: string): void {
  ledger.forget({ id })
  ledger.forget({ id: `${id}/${opinionStage}` })
}
