/** The effort until a model's tasks passed their checks: rounds and corrections. */
import type { Review } from '@stateeval/contracts'
import { formatPlural } from '../report/format.ts'

const maxShown = 10

/** Rounds in which a task, or an instruction, was written. */
const countRounds = ({ dialogue }: Review) =>
  Math.max(0, ...dialogue.flatMap(({ by, round }) => (by === 'generator' ? [round] : [])))

/** Lists the findings of earlier checks. */
function listMended(review: Review): string[] {
  const last = countRounds(review)
  return review.dialogue.flatMap(({ by, round, says }) =>
    by === 'check' && round < last ? says.split('\n') : [],
  )
}

/** Sections of text; empty if nothing was written. */
export function formatWritingEffort(id: string, reviews: readonly Review[]): string[] {
  const verified = reviews.filter(({ status }) => status === 'verified')
  if (verified.length === 0) return []
  const byRounds = [...Map.groupBy(verified, countRounds)].sort(([a], [b]) => a - b)
  const counts = byRounds.map(
    ([rounds, members]) => `${formatPlural(members.length, 'task')} in ${formatPlural(rounds, 'round')}`,
  )
  const again = verified.filter((review) => countRounds(review) > 1)
  const details = again.slice(0, maxShown).flatMap((review) => {
    const [first = '', ...more] = listMended(review)
    return [
      `  ${review.case} (${review.target ?? 'no endpoint'}): ${first}${more.length > 0 ? `; ${more.length} more` : ''}`,
    ]
  })
  return [
    [
      `Written: ${counts.join(', ')}.`,
      ...(again.length > 0 ? ['Corrected while writing:', ...details] : []),
      ...(again.length > maxShown
        ? [`  … and ${again.length - maxShown} more: npx stateeval review ${id}`]
        : []),
    ].join('\n'),
  ]
}
