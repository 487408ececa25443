/** A share as a bar, with its interval as a line; and its ends by samples without a score. */
import type { BracketedRate } from '@stateeval/program/format'
import { formatBracket, formatIntervalLocal, formatPercentLocal } from '../pure/format.ts'

interface ShownRate extends BracketedRate {
  interval?: readonly [number, number] | null | undefined
}

/** The text next to the bar, or `label`, states its value. */
export function RateBar({ rate, interval: range, bracket, label }: ShownRate & { label?: string }) {
  const described = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <svg className="rate-bar" viewBox="0 0 100 12" preserveAspectRatio="none" {...described}>
      {bracket && <title>{formatBracket(bracket)}</title>}
      <rect className="whole" width="100" height="12" />
      {rate !== null && <rect className="share" width={rate * 100} height="12" />}
      {bracket && (
        <rect className="bracket" x={bracket[0] * 100} width={(bracket[1] - bracket[0]) * 100} height="12" />
      )}
      {range && (
        <rect className="interval" x={range[0] * 100} width={(range[1] - range[0]) * 100} y="5" height="2" />
      )}
    </svg>
  )
}

/** A rate in a table or a sentence, with its bracket. */
export const RateText = ({ rate, bracket }: BracketedRate) => (
  <>
    {formatPercentLocal(rate)}
    {bracket && <span title={formatBracket(bracket)}> [{formatIntervalLocal(bracket)}]</span>}
  </>
)

export function Rate({ rate, interval: range, bracket }: ShownRate) {
  return (
    <span className="rate">
      <span className="figure">{formatPercentLocal(rate)}</span>
      <RateBar rate={rate} interval={range} bracket={bracket ?? null} />
      {range && <small>{formatIntervalLocal(range)}</small>}
      {bracket && <small>{formatBracket(bracket)}</small>}
    </span>
  )
}
