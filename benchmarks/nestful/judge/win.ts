/** Tells whether an executed prediction gives the gold answer (README, published behaviour 10 and 11). */
import { type CallsOutcome } from '../functions/calls.ts'
import { readWhole } from '../python/read.ts'
import { formatPyFloat, isDict, isPyEqual, type PyValue } from '../python/value.ts'

/**
 * `published`: floats are rounded to the digits of the gold one, and a failed run counts as False, which
 * equals a gold 0. What could not be run here, although its reference could, is lost.
 */
export function isWin(outcome: CallsOutcome, gold: string, policy: 'published' | 'sound'): boolean {
  if (outcome.outcome === 'unavailable') return false
  const expected = readWhole(gold)
  if (outcome.outcome === 'failed') return policy === 'published' && isPyEqual(false, expected)
  const { value: text, foreign } = outcome
  if (policy === 'sound') return isRead(text, (value) => isSoundEqual(value, expected))
  if (!foreign) return isRead(text, (value) => isPublishedEqual(value, expected))
  // No float of Python, so nothing is rounded.
  return foreign.equals !== null && isRead(foreign.equals, (value) => isPyEqual(value, expected))
}

/** Texts come from functions of a user, which may leave anything. */
function isRead(text: string, isEqual: (value: PyValue) => boolean): boolean {
  let value: PyValue
  try {
    value = readWhole(text)
  } catch {
    return false
  }
  return isEqual(value)
}

function isPublishedEqual(value: PyValue, gold: PyValue): boolean {
  if (typeof value !== 'number' || typeof gold !== 'number') return isPyEqual(value, gold)
  const text = formatPyFloat(gold)
  const dot = text.indexOf('.')
  // A text without a dot, such as 1e-05, crashes the released code: the sample is lost. So do infinity and
  // nan.
  if (dot < 0 || !Number.isFinite(value)) return false
  return roundHalfEven(value, text.length - dot - 1) === gold
}

/**
 * Python's round: the float nearest to the decimal that is nearest, ties to even. Exact, by way of the
 * float's own digits.
 */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value) || digits > 100) return value
  const size = Math.abs(value)
  if (size >= 2 ** 53) return value
  // A float is a fraction with a power of two below: compare the rest with one half as integers.
  const [numerator, denominator] = toFraction(size)
  const scaled = numerator * 10n ** BigInt(digits)
  const whole = scaled / denominator
  const twice = (scaled % denominator) * 2n
  const up = twice > denominator || (twice === denominator && whole % 2n === 1n)
  const rounded = Number(`${whole + (up ? 1n : 0n)}e-${digits}`)
  return value < 0 ? -rounded : rounded
}
function toFraction(value: number): [bigint, bigint] {
  let [scaled, denominator] = [value, 1n]
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    denominator *= 2n
  }
  return [BigInt(scaled), denominator]
}

/** Tolerance of floating-point arithmetic: in the thirteenth digit, and never visibly in a fraction. */
const computeTolerance = (size: number) => (size < 2 ** 53 ? Math.min(1e-12 * size, 1e-4) : 1e-12 * size)

/**
 * JSON values by type: a text is no number, true is not 1; an integer equals only itself, other finite
 * numbers are compared to twelve digits.
 */
export function isSoundEqual(a: PyValue, b: PyValue): boolean {
  const number = (value: PyValue) => typeof value === 'bigint' || typeof value === 'number'
  if (number(a) && number(b)) {
    if (typeof a !== 'number' || typeof b !== 'number') return a == b
    if (!Number.isFinite(a) || !Number.isFinite(b)) return Object.is(a, b)
    return Math.abs(a - b) <= computeTolerance(Math.max(Math.abs(a), Math.abs(b)))
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSoundEqual(item, b[at]!))
  if (isDict(a) && isDict(b))
    return a.size === b.size && [...a].every(([key, item]) => b.has(key) && isSoundEqual(item, b.get(key)!))
  return a === b
}
