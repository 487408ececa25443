/**
 * Filters of document stores: they find a value by a dotted path, through lists, and an element of a list
 * counts as the value.
 */
import type { JsonValue } from '@stateeval/contracts'

/** Tells whether a value at the field, or an element of a list there, satisfies the test. */
export const hasFieldValue = (document: object, field: string, test: (value: unknown) => boolean): boolean =>
  canReach(document, splitField(field), 0, test)

/** One field is asked of one document after another: its keys are kept. */
let newest: { field: string; keys: readonly string[] } = { field: '', keys: [''] }
function splitField(field: string): readonly string[] {
  if (newest.field !== field) newest = { field, keys: field.split('.') }
  return newest.keys
}

function canReach(
  value: unknown,
  keys: readonly string[],
  from: number,
  test: (value: unknown) => boolean,
): boolean {
  const key = keys[from]
  if (key === undefined) return test(value) || (Array.isArray(value) && value.some((item) => test(item)))
  if (value === null || typeof value !== 'object') return false
  if (Array.isArray(value) && value.some((item) => !Array.isArray(item) && canReach(item, keys, from, test)))
    return true
  return Object.hasOwn(value, key) && canReach((value as Record<string, unknown>)[key], keys, from + 1, test)
}

const compareNumbers = (a: unknown, b: JsonValue, holds: (a: number, b: number) => boolean) =>
  typeof a === 'number' && typeof b === 'number' && holds(a, b)

/** The operators that predictions know; a backend may know more. */
const operators: Record<string, (value: unknown, operand: JsonValue) => boolean> = {
  $eq: (a, b) => a === b,
  $gt: (a, b) => compareNumbers(a, b, (x, y) => x > y),
  $gte: (a, b) => compareNumbers(a, b, (x, y) => x >= y),
  $lt: (a, b) => compareNumbers(a, b, (x, y) => x < y),
  $lte: (a, b) => compareNumbers(a, b, (x, y) => x <= y),
  $in: (a, b) => Array.isArray(b) && b.includes(a as JsonValue),
}

/** Tells whether a document passes a filter; null where the filter has an operator that predictions lack. */
export function isPassing(document: object, filter: { [field: string]: JsonValue }): boolean | null {
  for (const [field, condition] of Object.entries(filter)) {
    const conditions: [string, JsonValue][] =
      condition !== null && typeof condition === 'object' && !Array.isArray(condition)
        ? Object.entries(condition)
        : [['$eq', condition]]
    for (const [name, operand] of conditions) {
      const holds = operators[name]
      if (!holds) return null
      if (!hasFieldValue(document, field, (value) => holds(value, operand))) return false
    }
  }
  return true
}
