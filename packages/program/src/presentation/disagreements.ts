/** Samples on which the policies of a benchmark disagree. */
import type { Disagreement } from '@stateeval/contracts'
import { plural, words } from './format.ts'

export const disagreementsTitle = ({ length }: readonly Disagreement[]): string =>
  `The policies differ about ${plural(length, 'sample')}:`

/** A line per sample with its verdicts, followed by the explanation of the difference. */
export const disagreementLines = (disagreements: readonly Disagreement[]): string[] =>
  disagreements.flatMap(({ case: id, sample, verdicts, why }) => [
    `  ${id} sample ${sample}: ${Object.entries(verdicts)
      .map(([policy, verdict]) => `${policy} ${words(verdict)}`)
      .join(', ')}`,
    ...why.map((says) => `    ${says}`),
  ])
