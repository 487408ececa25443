/**
 * JSON values as Python has them: the published evaluator is Python, and what it tells apart (1 and 1.0),
 * prints (`<class 'float'>`) and takes for equal (1 and True) decides what a model is told. Integers are
 * bigints, floats are numbers, objects keep their order.
 */
export type Value = null | boolean | string | bigint | number | Value[] | Dict
export type Dict = Map<string, Value>

export const isDict = (value: Value | undefined): value is Dict => value instanceof Map

type Number = boolean | bigint | number
const isNumber = (value: Value): value is Number =>
  typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number'

/** Python compares numbers of all types exactly, True being 1. */
function numbersEqual(a: Number, b: Number): boolean {
  const [x, y] = [a, b].map((value) => (typeof value === 'boolean' ? (value ? 1n : 0n) : value))
  return x == y
}

/** Python's `==` of two JSON values. */
export function equal(a: Value, b: Value): boolean {
  if (isNumber(a)) return isNumber(b) && numbersEqual(a, b)
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, at) => equal(one, b[at]!))
  if (isDict(a)) return isDict(b) && a.size === b.size && hasAll(a, b)
  return a === b
}

function hasAll(a: Dict, b: Dict): boolean {
  for (const [key, value] of a) {
    const other = b.get(key)
    if (other === undefined || !equal(value, other)) return false
  }
  return true
}

/** Python's truth of a JSON value. */
export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isDict(value) ? value.size > 0 : Boolean(value)
}

/** The name of its Python type, as `<class 'T'>` shows it. */
export function typeName(value: Value): 'str' | 'int' | 'float' | 'bool' | 'NoneType' | 'list' | 'dict' {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  switch (typeof value) {
    case 'string':
      return 'str'
    case 'bigint':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    default:
      return 'dict'
  }
}
