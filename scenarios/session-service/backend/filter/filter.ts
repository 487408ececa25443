/**
 * Filters of fetch: what the client sends as a document becomes a query of allowed operators, on this source
 * only.
 */
import { ObjectId } from 'mongodb'
import { storedPath, toStored } from './document/stored.ts'
import { type Doc, MAX_DEPTH, type Value } from './document/value.ts'
import { Refusal } from './errors.ts'

/**
 * Operators that compare a field with values. Nothing that runs code, reads other fields or costs much: no
 * $where, $function, $expr.
 */
const comparisons = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$type',
  '$regex',
  '$options',
  '$size',
  '$all',
  '$mod',
]
/** All that may stand in a condition on a field. */
export const operators: readonly string[] = [...comparisons, '$not', '$elemMatch']
const combinations = new Set(['$and', '$or', '$nor'])
const MAX_CONDITIONS = 1000
interface Budget {
  left: number
}

/** The path of a session's field: not empty, no operator, no NUL. `id` is the stored document's `_id`. */
export function fieldPath(field: string): string {
  const path = innerPath(field)
  return field === 'id' || field === '_id' ? '_id' : path
}

function innerPath(field: string): string {
  if (field === '') throw new Refusal(400, 'field is empty')
  if (field.startsWith('$')) throw new Refusal(400, `${field} is an operator, not a field`)
  if (field.includes('\0')) throw new Refusal(400, 'field contains a NUL character')
  if (field.split('.').length > MAX_DEPTH) throw new Refusal(400, `field has more than ${MAX_DEPTH} parts`)
  return storedPath(field)
}

/** A value as it is compared; a text of 24 hex digits is an id where an id is compared. */
export function operand(path: string, value: Value): unknown {
  if (path === '_id' && typeof value === 'string' && /^[0-9a-fA-F]{24}$/.test(value))
    return new ObjectId(value)
  return toStored(value)
}

/** The query for a filter document. Throws a 400 that names the operator which isn't allowed. */
export function toQuery(filter: Doc, source: string): Record<string, unknown> {
  const budget = { left: MAX_CONDITIONS }
  // The path's source is set last, so that it overrides a condition of the filter.
  return { ...conditions(filter, budget, fieldPath), source }
}

function conditions(filter: Doc, budget: Budget, pathOf: (field: string) => string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [name, value] of filter) {
    if (--budget.left < 0) throw new Refusal(400, `the filter has more than ${MAX_CONDITIONS} conditions`)
    if (combinations.has(name)) query[name] = branches(name, value, budget, pathOf)
    else if (name.startsWith('$'))
      throw new Refusal(400, `${name} is not allowed here; allowed are ${[...combinations].join(', ')}`)
    else {
      const path = pathOf(name)
      query[path] = condition(path, value, budget)
    }
  }
  return query
}

function branches(name: string, value: Value, budget: Budget, pathOf: (field: string) => string) {
  if (!Array.isArray(value) || value.length === 0) throw new Refusal(400, `${name} needs a list of filters`)
  return value.map((item) => {
    if (!(item instanceof Map)) throw new Refusal(400, `${name} needs a list of filters`)
    return conditions(item, budget, pathOf)
  })
}

const isOperators = (value: Value): value is Doc =>
  value instanceof Map && [...value.keys()].some((name) => name.startsWith('$'))

function condition(path: string, value: Value, budget: Budget): unknown {
  if (!isOperators(value)) return operand(path, value)
  const criteria: Record<string, unknown> = {}
  for (const [name, item] of value) {
    if (--budget.left < 0) throw new Refusal(400, `the filter has more than ${MAX_CONDITIONS} conditions`)
    criteria[name] = operator(path, name, item, budget)
  }
  return criteria
}

function operator(path: string, name: string, value: Value, budget: Budget): unknown {
  if (name === '$not') return condition(path, value, budget)
  if (name === '$elemMatch') {
    if (!(value instanceof Map)) throw new Refusal(400, '$elemMatch needs a document')
    return isOperators(value) && !combinations.has([...value.keys()][0] ?? '')
      ? condition(path, value, budget)
      : conditions(value, budget, innerPath)
  }
  if (!comparisons.includes(name))
    throw new Refusal(400, `${name} is not allowed; allowed are ${operators.join(', ')}`)
  if (name !== '$in' && name !== '$nin' && name !== '$all') return operand(path, value)
  if (!Array.isArray(value)) throw new Refusal(400, `${name} needs a list`)
  return value.map((item) => operand(path, item))
}
