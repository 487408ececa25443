/** JSON values. */
import type { JsonValue } from '@stateeval/contracts'

/**
 * A deep copy of a JSON value; several times faster than structuredClone on values of a few hundred bytes.
 */
export function cloneJson<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => cloneJson(item)) as T
  const copy: Record<string, unknown> = {}
  // An own key `__proto__` has to stay one.
  for (const key of Object.keys(value)) {
    const item = cloneJson((value as Record<string, unknown>)[key])
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true })
    else copy[key] = item
  }
  return copy as T
}

/** The type of a value, in a word: null and lists are not objects. */
export const describeType = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
