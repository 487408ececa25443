/**
 * Computes operators between literals as Python does. Computes numbers, texts, lists, tuples and dicts.
 * Names, calls, comparisons and `%` on texts throw an UnreadableError; so do results beyond the bounds below,
 * which Python would still compute.
 */
import * as py from '../functions/numbers.ts'
import { createUnreadable } from './read.ts'
import type { SyntaxNode } from './tree.ts'
import { PyDict, findPyKey, toPyNumber, type PyValue } from './value.ts'

/**
 * An integer has no more bits. Python refuses to write one of more than 4300 digits, which are a few less.
 */
const maxBits = 16_384n
/**
 * The texts, lists, dicts and integers that are computed for one answer have no more characters, items and
 * digits in all.
 */
const maxSize = 1_000_000

class PyTuple {
  readonly items: readonly EvaluatedValue[]
  constructor(items: readonly EvaluatedValue[]) {
    this.items = items
  }
}
type EvaluatedValue =
  | Exclude<PyValue, PyValue[] | PyDict>
  | EvaluatedValue[]
  | PyTuple
  | Map<EvaluatedValue, EvaluatedValue>

const fail = (says: string): never => createUnreadable(says, 0)

/** One for each answer: what it computes counts together. */
export class ExpressionEvaluator {
  #left = maxSize

  /**
   * Throws an UnreadableError where Python raises an error, or the value is not computed here. Tuples become
   * lists.
   */
  valueOf(node: SyntaxNode): PyValue {
    return toPlainPy(this.#value(node))
  }

  #value(node: SyntaxNode): EvaluatedValue {
    switch (node.kind) {
      case 'constant':
        return node.value
      case 'list':
        return node.items.map((item) => this.#value(item))
      case 'tuple':
        return new PyTuple(node.items.map((item) => this.#value(item)))
      case 'dict':
        return this.#dict(node.entries)
      case 'unary':
        return applySign(node.operator, this.#value(node.operand))
      case 'binary':
        return this.#computed(node.operator, this.#value(node.left), this.#value(node.right))
      default:
        return fail(`a ${node.kind} in arithmetic`)
    }
  }

  #dict(entries: readonly [SyntaxNode | null, SyntaxNode][]): EvaluatedValue {
    const dict = new Map<EvaluatedValue, EvaluatedValue>()
    for (const [key, node] of entries) {
      const value = this.#value(node)
      if (key === null) {
        if (!(value instanceof Map)) fail('what is unpacked is no dict')
        for (const [name, item] of value as Map<EvaluatedValue, EvaluatedValue>) put(dict, name, item)
      } else put(dict, this.#value(key), value)
    }
    return dict
  }

  #computed(operator: string, left: EvaluatedValue, right: EvaluatedValue): EvaluatedValue {
    if (typeof left === 'string' && operator === '%') return fail('formatting a text')
    if (operator === '*') {
      const repeated = this.#repeated(left, right) ?? this.#repeated(right, left)
      if (repeated !== null) return repeated
    }
    if (operator === '+') {
      const joined = joinEvaluated(left, right)
      if (joined !== null) return this.#counted(joined)
    }
    if (operator === '|' && left instanceof Map && right instanceof Map) {
      const dict = new Map(left)
      for (const [key, item] of right) put(dict, key, item)
      return this.#counted(dict)
    }
    const result = applyArithmetic(operator, left, right)
    // Long integers cost what texts do; short ones no more than the operator that made them.
    return typeof result === 'bigint' ? this.#counted(result) : result
  }

  #repeated(value: EvaluatedValue, count: EvaluatedValue): EvaluatedValue | null {
    const times = typeof count === 'boolean' ? BigInt(count) : count
    const items = value instanceof PyTuple ? value.items : value
    if (typeof times !== 'bigint' || (typeof items !== 'string' && !Array.isArray(items))) return null
    const size = measureEvaluated(value, this.#left)
    if (times > 0n && size > 0 && times * BigInt(size) > BigInt(this.#left))
      return fail('too much is computed')
    const n = times > 0n && items.length > 0 ? Number(times) : 0
    if (typeof items === 'string') return this.#counted(items.repeat(n))
    const list = Array.from({ length: n }, () => items as readonly EvaluatedValue[]).flat()
    return this.#counted(value instanceof PyTuple ? new PyTuple(list) : list)
  }
  #counted(value: EvaluatedValue): EvaluatedValue {
    this.#left -= measureEvaluated(value, this.#left)
    return this.#left < 0 ? fail('too much is computed') : value
  }
}

/** Characters, items and digits, each list and dict for one more; stops counting beyond the bound. */
function measureEvaluated(value: EvaluatedValue, bound: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value === 'bigint') return py.countDigits(value)
  const items = value instanceof PyTuple ? value.items : value instanceof Map ? [...value].flat() : value
  if (!Array.isArray(items)) return 1
  let size = 1
  for (const item of items as readonly EvaluatedValue[]) {
    if (size > bound) break
    size += measureEvaluated(item, bound - size)
  }
  return size
}

function joinEvaluated(left: EvaluatedValue, right: EvaluatedValue): EvaluatedValue | null {
  if (typeof left === 'string' && typeof right === 'string') return left + right
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right]
  if (left instanceof PyTuple && right instanceof PyTuple) return new PyTuple([...left.items, ...right.items])
  return null
}

function put(dict: Map<EvaluatedValue, EvaluatedValue>, key: EvaluatedValue, value: EvaluatedValue) {
  if (typeof key === 'object' && key !== null) fail('a key that has no form in JSON')
  dict.set(findPyKey<EvaluatedValue>(dict, key), value)
}

function toPlainPy(value: EvaluatedValue): PyValue {
  if (value instanceof PyTuple) return value.items.map(toPlainPy)
  if (Array.isArray(value)) return value.map(toPlainPy)
  if (value instanceof Map)
    return new PyDict([...value].map(([key, item]): [PyValue, PyValue] => [toPlainPy(key), toPlainPy(item)]))
  return value
}

function requirePyNumber(value: EvaluatedValue): py.PyNumber {
  return toPyNumber(value as PyValue) ?? fail('no number')
}
function requirePyInteger(value: EvaluatedValue): bigint {
  const number = requirePyNumber(value)
  return typeof number === 'bigint' ? number : fail('no integer')
}

function applySign(operator: string, value: EvaluatedValue): EvaluatedValue {
  if (operator === 'not') return !isTrue(value)
  if (operator === '~') return ~requirePyInteger(value)
  const number = requirePyNumber(value)
  return operator === '-' ? -number : number
}
function isTrue(value: EvaluatedValue): boolean {
  if (value instanceof PyTuple) return value.items.length > 0
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Map) return value.size > 0
  return typeof value === 'number' ? value !== 0 : Boolean(value)
}

const onNumbers: Readonly<Record<string, (a: py.PyNumber, b: py.PyNumber) => py.PyNumber>> = {
  '+': py.add,
  '-': py.subtractNumbers,
  '*': py.multiplyNumbers,
  '/': py.divideNumbers,
  '//': py.divideFloor,
  '%': py.computeModulo,
  '**': py.raiseNumber,
}
const onIntegers: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) =>
    b < 0n || (a !== 0n && b > maxBits) ? fail('a shift out of bounds') : a === 0n ? 0n : a << b,
  '>>': (a, b) => (b < 0n ? fail('a shift out of bounds') : a >> b),
}

function applyArithmetic(operator: string, left: EvaluatedValue, right: EvaluatedValue): EvaluatedValue {
  const integers = onIntegers[operator]
  if (integers) {
    const result = integers(boundNumber(requirePyInteger(left)), boundNumber(requirePyInteger(right)))
    const isLogic = typeof left === 'boolean' && typeof right === 'boolean' && operator.length === 1
    return isLogic ? result !== 0n : boundNumber(result)
  }
  const [a, b] = [requirePyNumber(left), requirePyNumber(right)].map(boundNumber)
  const operation = onNumbers[operator] ?? fail(`no numbers for ${operator}`)
  try {
    return boundNumber(operation(a!, b!))
  } catch (error) {
    // Overflow, division by zero, complex results.
    return fail((error as Error).message)
  }
}
function boundNumber<T extends py.PyNumber>(value: T): T {
  if (typeof value === 'bigint' && (value < 0n ? -value : value) >> maxBits !== 0n)
    fail(`an integer of more than ${maxBits} bits`)
  return value
}
