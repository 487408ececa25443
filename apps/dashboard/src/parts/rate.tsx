/** A share as a bar, with its interval as a line. */
import { interval, percent } from '../pure/format.ts'

export interface Shown {
  rate: number | null
  interval?: readonly [number, number] | null | undefined
}

/** The text next to the bar, or `label`, states its value. */
export function RateBar({ rate, interval: range, label }: Shown & { label?: string }) {
  const described = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <svg className="rate-bar" viewBox="0 0 100 12" preserveAspectRatio="none" {...described}>
      <rect className="whole" width="100" height="12" />
      {rate !== null && <rect className="share" width={rate * 100} height="12" />}
      {range && (
        <rect className="interval" x={range[0] * 100} width={(range[1] - range[0]) * 100} y="5" height="2" />
      )}
    </svg>
  )
}

export function Rate({ rate, interval: range }: Shown) {
  return (
    <span className="rate">
      <span className="figure">{percent(rate)}</span>
      <RateBar rate={rate} interval={range} />
      {range && <small>{interval(range)}</small>}
    </span>
  )
}
