/** Samples on which the policies of a benchmark disagree. */
import type { Disagreement } from '@stateeval/contracts'
import { formatPlural, splitWords } from './format.ts'

export const formatDisagreementsTitle = ({ length }: readonly Disagreement[]): string =>
  `The policies differ about ${formatPlural(length, 'sample')}:`

/** A line per sample with its verdicts, followed by the explanation of the difference. */
export const formatDisagreements = (disagreements: readonly Disagreement[]): string[] =>
  disagreements.flatMap(({ case: id, sample, verdicts, why }) => [
    `  ${id} sample ${sample}: ${Object.entries(verdicts)
      .map(([policy, verdict]) => `${policy} ${splitWords(verdict)}`)
      .join(', ')}`,
    ...why.map((says) => `    ${says}`),
  ])
