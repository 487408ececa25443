/** How the service's filters find a value: by a dotted path, through lists, an element of a list counting as the value. */
import type { Json } from '@stateeval/contracts'

/** All values that a dotted path reaches in a document. */
function reach(value: unknown, keys: readonly string[]): unknown[] {
  const [key, ...rest] = keys
  if (key === undefined) return [value]
  if (value === null || typeof value !== 'object') return []
  const inside = Array.isArray(value) ? value.flatMap((item) => (Array.isArray(item) ? [] : reach(item, keys))) : []
  return Object.hasOwn(value, key) ? [...inside, ...reach((value as Record<string, unknown>)[key], rest)] : inside
}

/** Whether a value at the field, or an element of a list there, satisfies the test. */
export function fieldHas(document: object, field: string, test: (value: unknown) => boolean): boolean {
  return reach(document, field.split('.')).some((value) => test(value) || (Array.isArray(value) && value.some(test)))
}

const number = (a: unknown, b: Json, holds: (a: number, b: number) => boolean) =>
  typeof a === 'number' && typeof b === 'number' && holds(a, b)

/** The operators of query/fetch that the state machine knows; the service knows more. */
const operators: Record<string, (value: unknown, operand: Json) => boolean> = {
  $eq: (a, b) => a === b,
  $gt: (a, b) => number(a, b, (x, y) => x > y),
  $gte: (a, b) => number(a, b, (x, y) => x >= y),
  $lt: (a, b) => number(a, b, (x, y) => x < y),
  $lte: (a, b) => number(a, b, (x, y) => x <= y),
  $in: (a, b) => Array.isArray(b) && b.includes(a as Json),
}

/** Whether a document passes a filter; null where the filter is beyond what the state machine knows. */
export function passes(document: object, filter: { [field: string]: Json }): boolean | null {
  for (const [field, wanted] of Object.entries(filter)) {
    const conditions: [string, Json][] =
      wanted !== null && typeof wanted === 'object' && !Array.isArray(wanted) ? Object.entries(wanted) : [['$eq', wanted]]
    for (const [name, operand] of conditions) {
      const holds = operators[name]
      if (!holds) return null
      if (!fieldHas(document, field, (value) => holds(value, operand))) return false
    }
  }
  return true
}
