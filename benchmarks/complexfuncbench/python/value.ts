/**
 * JSON values as Python has them: the published evaluator is Python, and what it tells apart (1 and 1.0),
 * prints (`<class 'float'>`) and takes for equal (1 and True) decides what a model is told. Integers are
 * bigints, floats are numbers, objects keep their order.
 */
export type PythonValue = null | boolean | string | bigint | number | PythonValue[] | PythonDict
export type PythonDict = Map<string, PythonValue>

export const isDict = (value: PythonValue | undefined): value is PythonDict => value instanceof Map

type PythonNumber = boolean | bigint | number
const isNumber = (value: PythonValue): value is PythonNumber =>
  typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number'

/** Python compares numbers of all types exactly, True being 1. */
function areNumbersEqual(a: PythonNumber, b: PythonNumber): boolean {
  const [x, y] = [a, b].map((value) => (typeof value === 'boolean' ? (value ? 1n : 0n) : value))
  return x == y
}

/** Python's `==` of two JSON values. */
export function arePythonEqual(a: PythonValue, b: PythonValue): boolean {
  if (isNumber(a)) return isNumber(b) && areNumbersEqual(a, b)
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, at) => arePythonEqual(one, b[at]!))
  if (isDict(a)) return isDict(b) && a.size === b.size && hasAll(a, b)
  return a === b
}

function hasAll(a: PythonDict, b: PythonDict): boolean {
  for (const [key, value] of a) {
    const other = b.get(key)
    if (other === undefined || !arePythonEqual(value, other)) return false
  }
  return true
}

/** Python's truth of a JSON value. */
export function isTrue(value: PythonValue): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isDict(value) ? value.size > 0 : Boolean(value)
}

/** The name of its Python type, as `<class 'T'>` shows it. */
export function getPythonType(
  value: PythonValue,
): 'str' | 'int' | 'float' | 'bool' | 'NoneType' | 'list' | 'dict' {
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
