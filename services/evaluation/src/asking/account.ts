/**
 * Accounts of owners for their questions to models: where answers come from, the budget, and whether the
 * owner has ended.
 */
import type { UsageBudget, ModelPrices, Usage } from '@stateeval/contracts'
import {
  type SpendingAccount,
  addUsage,
  computeCostUsd,
  type SpendingLedger,
  noUsage,
  explainOverBudget,
} from '@stateeval/models'
import {
  listAgentModels,
  getPrices,
  hasOpinionStage,
  type EvaluationOwner,
  opinionStage,
  type JobOwner,
  loadProgress,
  type ProgressReader,
} from '@stateeval/jobs'
import { isRecording } from '../recordings/recordings.ts'

/** Stores that tell how much an owner has used. */
export interface UsageBooks extends ProgressReader {
  ledger: SpendingLedger
}

/**
 * Finds the highest prices of several models: a budget counts every answer as that dear, so it is never
 * exceeded.
 */
const findHighestPrices = (all: readonly ModelPrices[]): ModelPrices | null =>
  all.length === 0
    ? null
    : {
        promptPerMillion: Math.max(...all.map((one) => one.promptPerMillion)),
        completionPerMillion: Math.max(...all.map((one) => one.completionPerMillion)),
      }

interface AccountTerms {
  recording?: string
  responses?: readonly string[]
  fresh?: boolean
  prices?: ModelPrices
}
const buildTerms = (
  { recording, responses, fresh }: AccountTerms,
  prices: ModelPrices | null | undefined,
): AccountTerms => ({
  ...(recording && { recording }),
  ...(responses && { responses }),
  ...(fresh && { fresh }),
  ...(prices && { prices }),
})

/** From where answers are taken, and what they cost. `part`: of whoever plays that part in an evaluation. */
function getPartTerms(owner: JobOwner, part?: string): AccountTerms {
  if (owner.entity === 'evaluation' && owner.parties && !hasOpinionStage(owner)) {
    const all = [owner.model, ...Object.values(owner.parties)]
    const prices = findHighestPrices(
      all.flatMap((one) => (one.kind === 'endpoint' && one.settings.prices) || []),
    )
    const choice = part === undefined ? owner.model : owner.parties[part]
    return buildTerms(choice?.kind === 'endpoint' ? choice : {}, prices)
  }
  const agents = 'agents' in owner ? owner.agents : undefined
  if (agents) {
    const prices = findHighestPrices(listAgentModels(agents).flatMap(({ settings }) => settings.prices ?? []))
    return buildTerms(agents, prices)
  }
  const choice = hasOpinionStage(owner)
    ? owner.opinion.by
    : owner.entity === 'evaluation'
      ? owner.model
      : owner.origin === 'dataset'
        ? owner.writing.model
        : undefined
  return choice?.kind === 'endpoint' ? buildTerms(choice, choice.settings.prices) : {}
}

/**
 * The account of the owner's stage. Second opinions have a separate account, because they come from another
 * model at other prices.
 */
export function buildAccount(books: UsageBooks, owner: JobOwner, part?: string): SpendingAccount {
  const terms = getPartTerms(owner, part)
  const { prices } = terms
  const budget = 'budget' in owner ? owner.budget : undefined
  const optional = hasOpinionStage(owner)
  return {
    id: optional ? `${owner.id}/${opinionStage}` : owner.id,
    by: owner.id,
    ...listAnswerSources(terms),
    ...(optional && { optional }),
    ended: () => loadUsage(books, owner),
    ...(budget && {
      over: async (usage) =>
        hasOpinionStage(owner)
          ? findOpinionExcess(books, owner, budget, usage, prices)
          : describeExceeded(owner, explainOverBudget(budget, usage, prices)),
    }),
  }
}

/** The sources of an account's answers. */
export const listAnswerSources = ({
  recording,
  responses,
  fresh,
}: AccountTerms): Pick<SpendingAccount, 'recording' | 'responses' | 'fresh'> => ({
  ...(recording && { recording }),
  ...(responses && {
    responses: responses.map((id) => (isRecording(id) ? { recording: id } : { by: id })),
  }),
  ...(fresh && { fresh }),
})

async function loadUsage(books: ProgressReader, owner: JobOwner): Promise<Usage> {
  const { partyRequests, partyPromptTokens, partyCompletionTokens, ...ofModel } = await loadProgress(
    books,
    owner,
  )
  return addUsage(getProbedUsage(owner), {
    requests: ofModel.requests + partyRequests,
    promptTokens: ofModel.promptTokens + partyPromptTokens,
    completionTokens: ofModel.completionTokens + partyCompletionTokens,
  })
}

/** Gets the usage of the probe before an evaluation. */
const getProbedUsage = (owner: JobOwner): Usage =>
  (owner.entity === 'evaluation' ? owner.probed?.usage : undefined) ?? noUsage

const describeExceeded = (owner: JobOwner, over: string | null) =>
  over === null
    ? null
    : owner.entity === 'evaluation'
      ? `stopped: ${withLargerBudget(owner.id, over)}`
      : `stopped: ${over}; build again with a larger one; earlier answers are reused`

/** Second opinions come on top of what the model under test used, each at its own prices. */
async function findOpinionExcess(
  books: UsageBooks,
  owner: EvaluationOwner,
  budget: UsageBudget,
  usage: Usage,
  prices: ModelPrices | undefined,
): Promise<string | null> {
  const ofSamples = await loadSpending(books, { ...owner, stage: 'samples' })
  const usd =
    budget.usd === undefined
      ? undefined
      : Math.max(0, budget.usd - (computeCostUsd(ofSamples, getPrices(owner.model)) ?? 0))
  const tokens =
    budget.tokens === undefined
      ? undefined
      : Math.max(0, budget.tokens - ofSamples.promptTokens - ofSamples.completionTokens)
  const rest = { ...(usd !== undefined && { usd }), ...(tokens !== undefined && { tokens }) }
  return explainOverBudget(rest, usage, prices) === null
    ? null
    : 'the budget was used up before this question'
}

/** How to continue an evaluation that has spent its budget; `over` is the result of `explainOverBudget`. */
export const withLargerBudget = (id: string, over: string) =>
  `${over}; resume the evaluation with a larger one: POST /v1/evaluations/${id}/resume {"budget": {${over.includes('$') ? '"usd"' : '"tokens"'}: …}}`

/** The usage of the owner's questions in its stage. */
export const loadSpending = (books: UsageBooks, owner: JobOwner): Promise<Usage> =>
  books.ledger.usageOf(buildAccount(books, owner))

/**
 * Tells whether the endpoint has ever answered for this owner, including answers reused from earlier
 * evaluations.
 */
export async function wasAnswered(books: UsageBooks, owner: JobOwner): Promise<boolean> {
  // Only failed answers have second opinions.
  if (hasOpinionStage(owner)) return true
  if (
    (await loadSpending(books, owner)).requests > getProbedUsage(owner).requests ||
    books.ledger.answers(owner) > 0
  )
    return true
  // Kept answers cost nothing; what they led to has ended all the same. Builds count no item as not scored.
  const { items, passed, notScored } = await loadProgress(books, owner)
  return owner.entity === 'evaluation' ? owner.stage === 'samples' && items > notScored : passed > 0
}

/**
 * Forgets refusals when a stopped owner resumes, because the endpoint may accept the same questions now.
 */
export function forgetRefused({ ledger }: UsageBooks, id: string): void {
  ledger.forget({ id })
  ledger.forget({ id: `${id}/${opinionStage}` })
}
