/** The time at which an endpoint wants to be asked again. */

/**
 * Milliseconds from now, from Retry-After (seconds or an HTTP date) or retry-after-ms; null without both.
 */
export function retryAfter(
  { ms, text }: { ms: string | null; text: string | null },
  now: number,
): number | null {
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms.trim())) return Number(ms)
  const value = text?.trim()
  if (!value) return null
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  // A number that is no time, such as -5, would be read as a year.
  if (!/^[A-Za-z]{3}/.test(value)) return null
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
