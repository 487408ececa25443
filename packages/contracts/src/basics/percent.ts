/** Shares in percent, as every table, gate and view shows them. */

const formats = new Map<number, Intl.NumberFormat>()
/**
 * A share as a number of percent. It is rounded half up by its decimal digits, as the dashboard rounds it: in
 * binary, 0.2875 × 100 is less than 28.75, so `toFixed` would print 28.7.
 */
export function formatPercent(share: number, digits = 1): string {
  const format =
    formats.get(digits) ??
    new Intl.NumberFormat('en-US', {
      style: 'percent',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
    })
  formats.set(digits, format)
  return format.format(share).replace('%', '')
}
