/** When two values count as equal. */
import { type JsonValue, isRecord } from '@stateeval/contracts'

function isDeepEqual(a: JsonValue, b: JsonValue, leaves: (a: JsonValue, b: JsonValue) => boolean): boolean {
  if (Array.isArray(a))
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, n) => isDeepEqual(one, b[n] as JsonValue, leaves))
    )
  if (isRecord(a)) {
    if (!isRecord(b)) return false
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length &&
      keys.every(
        (key) => Object.hasOwn(b, key) && isDeepEqual(a[key] as JsonValue, b[key] as JsonValue, leaves),
      )
    )
  }
  return typeof b !== 'object' || b === null ? leaves(a, b) : false
}

const toNumberOfBoolean = (value: JsonValue) => (typeof value === 'boolean' ? Number(value) : value)
/** Compares as Python's == on parsed JSON: true is 1 and false is 0, a text is never a number. */
export const isPythonEqual = (a: JsonValue, b: JsonValue) =>
  isDeepEqual(a, b, (x, y) => toNumberOfBoolean(x) === toNumberOfBoolean(y))
/** Compares as JSON values: a truth value is no number. */
export const isJsonEqual = (a: JsonValue, b: JsonValue) => isDeepEqual(a, b, (x, y) => x === y)
/** Compares values as written into a URL, a header or a form: everything is text there. */
export const isWrittenEqual = (a: JsonValue, b: JsonValue): boolean =>
  isDeepEqual(toWrittenText(a), toWrittenText(b), (x, y) => x === y)

function toWrittenText(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(toWrittenText)
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toWrittenText(inner)]))
  return value === null ? '' : String(value)
}
