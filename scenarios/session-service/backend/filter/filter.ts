/**
 * Filters of fetch: what the client sends as a document becomes a query of allowed operators and operands, of
 * bounded cost, on this source only.
 */
import { BSONRegExp, ObjectId } from 'mongodb'
import { encodeStoredPath, toStored } from '../document/stored.ts'
import { type BsonDocument, MAX_DEPTH, type BsonValue } from '../document/value.ts'
import { RequestRefusal } from '../errors.ts'
import { operands } from './operands.ts'
import { measurePattern } from './pattern.ts'

/**
 * All that may stand in a condition on a field. Nothing that runs code, reads other fields or costs much: no
 * $where, $function, $expr.
 */
export const operators: readonly string[] = [...Object.keys(operands), '$not', '$elemMatch']
const combinations = new Set(['$and', '$or', '$nor'])
const MAX_CONDITIONS = 1000
/** Of all patterns of a filter: compiling 1,000 may take 10 ms, in which no other run is served. */
const MAX_PATTERN_CHARACTERS = 10_000

export interface FilterBounds {
  /** What a filter may hold: each value and pattern may be compared with every part of a stored document. */
  weight: number
  /** What a pattern weighs at most because a server goes back in texts, see `measurePattern`. */
  backtracking: number
}

/** Conditions that a filter may still have. */
class FilterBudget {
  #conditions = MAX_CONDITIONS
  #patternCharacters = MAX_PATTERN_CHARACTERS
  #weight: number
  readonly #bounds: FilterBounds
  constructor(bounds: FilterBounds) {
    this.#weight = bounds.weight
    this.#bounds = bounds
  }
  takeCondition(path: string) {
    if (--this.#conditions < 0)
      throw new RequestRefusal(400, `the filter has more than ${MAX_CONDITIONS} conditions`)
    this.takeWeight(path.split('.').length)
  }
  takePattern(pattern: string, options: string) {
    this.#patternCharacters -= pattern.length
    if (this.#patternCharacters < 0)
      throw new RequestRefusal(
        400,
        `the patterns of the filter have more than ${MAX_PATTERN_CHARACTERS} characters`,
      )
    this.takeWeight(measurePattern(pattern, options, this.#bounds.backtracking))
  }
  takeWeight(weight: number) {
    this.#weight -= weight
    if (this.#weight < 0)
      throw new RequestRefusal(
        400,
        `the filter holds more values and longer patterns than the stored sessions allow (${this.#bounds.weight})`,
      )
  }
}

/** The path of a session's field: not empty, no operator, no NUL. `id` is the stored document's `_id`. */
export function checkFieldPath(field: string): string {
  const path = checkInnerPath(field)
  return field === 'id' || field === '_id' ? '_id' : path
}

function checkInnerPath(field: string): string {
  if (field === '') throw new RequestRefusal(400, 'field is empty')
  if (field.startsWith('$')) throw new RequestRefusal(400, `${field} is an operator, not a field`)
  if (field.includes('\0')) throw new RequestRefusal(400, 'field contains a NUL character')
  if (field.split('.').length > MAX_DEPTH)
    throw new RequestRefusal(400, `field has more than ${MAX_DEPTH} parts`)
  return encodeStoredPath(field)
}

/** A value as it is compared; a text of 24 hex digits is an id where an id is compared. */
export function convertOperand(path: string, value: BsonValue): unknown {
  if (path === '_id' && typeof value === 'string' && /^[0-9a-fA-F]{24}$/.test(value))
    return new ObjectId(value)
  return toStored(value)
}

/** The query for a filter document. Throws a 400 that names what isn't allowed. */
export function toQuery(filter: BsonDocument, source: string, bounds: FilterBounds): Record<string, unknown> {
  const budget = new FilterBudget(bounds)
  // The path's source is set last, so that it overrides a condition of the filter.
  return { ...convertConditions(filter, budget, checkFieldPath), source }
}

function convertConditions(
  filter: BsonDocument,
  budget: FilterBudget,
  pathOf: (field: string) => string,
): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [name, value] of filter) {
    budget.takeCondition(name)
    if (combinations.has(name)) query[name] = convertBranches(name, value, budget, pathOf)
    else if (name.startsWith('$'))
      throw new RequestRefusal(
        400,
        `${name} is not allowed here; allowed are ${[...combinations].join(', ')}`,
      )
    else {
      const path = pathOf(name)
      query[path] = convertCondition(path, value, budget)
    }
  }
  return query
}

function convertBranches(
  name: string,
  value: BsonValue,
  budget: FilterBudget,
  pathOf: (field: string) => string,
) {
  if (!Array.isArray(value) || value.length === 0)
    throw new RequestRefusal(400, `${name} needs a list of filters`)
  return value.map((item) => {
    if (!(item instanceof Map)) throw new RequestRefusal(400, `${name} needs a list of filters`)
    return convertConditions(item, budget, pathOf)
  })
}

const isOperators = (value: BsonValue): value is BsonDocument =>
  value instanceof Map && [...value.keys()].some((name) => name.startsWith('$'))

function convertCondition(path: string, value: BsonValue, budget: FilterBudget): unknown {
  if (!isOperators(value)) return convertWeighed(path, value, budget)
  if (value.has('$options') && !value.has('$regex')) throw new RequestRefusal(400, '$options needs a $regex')
  const criteria: Record<string, unknown> = {}
  for (const [name, item] of value) {
    budget.takeCondition(name)
    criteria[name] = convertOperator(path, name, item, budget)
  }
  return criteria
}

function convertOperator(path: string, name: string, value: BsonValue, budget: FilterBudget): unknown {
  if (name === '$not') {
    if (!isOperators(value) && !(value instanceof BSONRegExp))
      throw new RequestRefusal(400, '$not needs a document of operators or a pattern')
    return convertCondition(path, value, budget)
  }
  if (name === '$elemMatch') {
    if (!(value instanceof Map)) throw new RequestRefusal(400, '$elemMatch needs a document')
    return isOperators(value) && !combinations.has([...value.keys()][0] ?? '')
      ? convertCondition(path, value, budget)
      : convertConditions(value, budget, checkInnerPath)
  }
  const fault = Object.hasOwn(operands, name) ? operands[name]?.(value) : undefined
  if (fault === undefined)
    throw new RequestRefusal(400, `${name} is not allowed; allowed are ${operators.join(', ')}`)
  if (fault !== null) throw new RequestRefusal(400, `${name} needs ${fault}`)
  if (name === '$regex' && typeof value === 'string') budget.takePattern(value, '')
  return Array.isArray(value) && ['$in', '$nin', '$all'].includes(name)
    ? value.map((item) => convertWeighed(path, item, budget))
    : convertWeighed(path, value, budget)
}

function convertWeighed(path: string, value: BsonValue, budget: FilterBudget): unknown {
  weighValue(value, budget)
  return convertOperand(path, value)
}

function weighValue(value: BsonValue, budget: FilterBudget) {
  if (value instanceof BSONRegExp) budget.takePattern(value.pattern, value.options)
  else budget.takeWeight(1)
  if (Array.isArray(value)) for (const item of value) weighValue(item, budget)
  else if (value instanceof Map) for (const item of value.values()) weighValue(item, budget)
}
