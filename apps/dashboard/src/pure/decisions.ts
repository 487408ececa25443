/** Decisions of a review as JSON lines, each with its case; the last one for a case counts. */
import type { Review } from '@stateeval/contracts'

export const formatDecisionLines = (benchmark: string, reviews: readonly Review[]): string =>
  reviews
    .flatMap(({ case: name, decisions }) => decisions.map((one) => ({ benchmark, case: name, ...one })))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

/** The number of reviews without a decision. */
export const countOpen = (reviews: readonly Review[]): number =>
  reviews.filter(({ status, decisions }) => status === 'needs_review' && decisions.length === 0).length
