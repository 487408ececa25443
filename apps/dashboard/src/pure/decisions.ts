/** Decisions of a review, as lines of JSON: each with its case, the last of a case counts. */
import type { Review } from '@stateeval/contracts'

export const decisionLines = (benchmark: string, reviews: readonly Review[]): string =>
  reviews
    .flatMap(({ case: name, decisions }) => decisions.map((one) => ({ benchmark, case: name, ...one })))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

/** Those that wait for a decision. */
export const openIn = (reviews: readonly Review[]): number =>
  reviews.filter(({ status, decisions }) => status === 'needs_review' && decisions.length === 0).length
