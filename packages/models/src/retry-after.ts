/** The time at which an endpoint wants to be asked again. */

const number = /^\d+(\.\d+)?$/
/** Numbers from here on are times since 1970, in seconds or milliseconds. */
const firstEpochSeconds = 1e9
const firstEpochMs = 1e12

/**
 * Milliseconds from now, from Retry-After (seconds, an epoch or an HTTP date) or retry-after-ms; null without
 * both.
 */
export function retryAfter(
  { ms, text }: { ms: string | null; text: string | null },
  now: number,
): number | null {
  if (ms !== null && number.test(ms.trim())) return countFromNow(Number(ms), 1, now)
  // Some write the unit: 34s.
  const value = text?.trim().replace(/s$/, '')
  if (!value) return null
  if (number.test(value)) return countFromNow(Number(value), 1000, now)
  // A number that is no time, such as -5, would be read as a year.
  if (!/^[A-Za-z]{3}/.test(value)) return null
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

const countFromNow = (value: number, unit: number, now: number) =>
  value >= firstEpochMs
    ? Math.max(0, value - now)
    : value >= firstEpochSeconds
      ? Math.max(0, value * 1000 - now)
      : value * unit
