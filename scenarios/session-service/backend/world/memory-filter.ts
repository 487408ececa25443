/**
 * Filters that are answered without the database: fields of data that equal a text, number or boolean, or
 * numbers within bounds. Anything else, such as a path through a list, is left to the database, whose rules
 * are many.
 */
import { Double, Int32, Long, Timestamp } from 'mongodb'
import { storedName } from '../document/stored.ts'
import type { Doc, Value } from '../document/value.ts'

type Scalar = string | number | boolean
export interface Condition {
  /** Names from the session down, as they are stored. */
  path: readonly string[]
  /** Whether a value that is no list holds. */
  holds: (value: Value) => boolean
}

/** What these values are compared as; undefined where that takes more than JavaScript's comparison. */
function scalar(value: unknown): Scalar | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined
  if (typeof value === 'boolean') return value
  if (value instanceof Int32) return value.value
  if (value instanceof Double)
    return Number.isFinite(value.value) && !Object.is(value.value, -0) ? value.value : undefined
  if (!(value instanceof Long) || value instanceof Timestamp) return undefined
  const number = value.toNumber()
  return Number.isSafeInteger(number) ? number : undefined
}

const bounds: Record<string, (a: number, b: number) => boolean> = {
  $gt: (a, b) => a > b,
  $gte: (a, b) => a >= b,
  $lt: (a, b) => a < b,
  $lte: (a, b) => a <= b,
}

function holdsOf(operator: string, operand: unknown): Condition['holds'] | undefined {
  const right = scalar(operand)
  if (right === undefined) return undefined
  if (operator === '$eq') return (value) => scalar(value) === right
  const bound = bounds[operator]
  if (!bound || typeof right !== 'number') return undefined
  return (value) => {
    const left = scalar(value)
    return typeof left === 'number' && bound(left, right)
  }
}

const isOperators = (condition: unknown): condition is Record<string, unknown> =>
  typeof condition === 'object' && condition !== null && Object.getPrototypeOf(condition) === Object.prototype

/** What a stored session has beside its data. */
const beside = new Set(['_id', 'source', 'type', 'checksum'])

/** The conditions of a filter in stored form; undefined where it says more. */
export function conditionsOf(filter: Record<string, unknown>): Condition[] | undefined {
  const conditions: Condition[] = []
  for (const [field, condition] of Object.entries(filter)) {
    const path = field.split('.')
    if (beside.has(path[0]!) || path.includes('')) return undefined
    for (const [operator, operand] of isOperators(condition)
      ? Object.entries(condition)
      : [['$eq', condition]]) {
      const holds = holdsOf(operator as string, operand)
      if (!holds) return undefined
      conditions.push({ path, holds })
    }
  }
  return conditions
}

/** Whether data passes; undefined where the database has to tell. */
export function passes(data: Doc, conditions: readonly Condition[]): boolean | undefined {
  let result: boolean | undefined = true
  for (const condition of conditions) {
    const holds = reaches(data, condition)
    if (holds === undefined) return undefined
    result &&= holds
  }
  return result
}

function reaches(data: Doc, { path, holds }: Condition): boolean | undefined {
  if (path[0] !== 'data') return false
  let value: Value | undefined = data
  for (const part of path.slice(1)) {
    if (Array.isArray(value)) return undefined
    if (!(value instanceof Map)) return false
    value = child(value, part)
    if (value === undefined) return false
  }
  if (!Array.isArray(value)) return judged(value, holds)
  // A list holds where one of its elements does.
  const results = value.map((item) => judged(item, holds))
  return results.includes(undefined) ? undefined : results.includes(true)
}

/** A number that JavaScript can't compare exactly is for the database. */
const judged = (value: Value, holds: Condition['holds']): boolean | undefined =>
  value instanceof Long && scalar(value) === undefined ? undefined : holds(value)

/** Names of documents are kept as they were sent, paths are written as they are stored. */
function child(doc: Doc, stored: string): Value | undefined {
  const direct = doc.get(stored)
  if (direct !== undefined && storedName(stored) === stored) return direct
  for (const [name, value] of doc) if (storedName(name) === stored) return value
  return undefined
}
