/**
 * Computes operators between literals as Python does. Computed are numbers, texts, lists, tuples and dicts;
 * names, calls, comparisons and `%` on texts throw an Unreadable. So does what grows beyond the bounds below,
 * where Python would go on.
 */
import * as py from '../functions/numbers.ts'
import { unreadable } from './read.ts'
import type { Node } from './tree.ts'
import { Dict, keyIn, numberOf, type Py } from './value.ts'

/**
 * An integer has no more bits. Python refuses to write one of more than 4300 digits, which are a few less.
 */
const maxBits = 16_384n
/**
 * The texts, lists, dicts and integers that are computed for one answer have no more characters, items and
 * digits in all.
 */
const maxSize = 1_000_000

class Tuple {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    this.items = items
  }
}
type Value = Exclude<Py, Py[] | Dict> | Value[] | Tuple | Map<Value, Value>

const fail = (says: string): never => unreadable(says, 0)

/** One for each answer: what it computes counts together. */
export class Evaluator {
  #left = maxSize

  /**
   * Throws an Unreadable where Python raises an error, or the value is not computed here. Tuples become
   * lists.
   */
  valueOf(node: Node): Py {
    return plain(this.#value(node))
  }

  #value(node: Node): Value {
    switch (node.kind) {
      case 'constant':
        return node.value
      case 'list':
        return node.items.map((item) => this.#value(item))
      case 'tuple':
        return new Tuple(node.items.map((item) => this.#value(item)))
      case 'dict':
        return this.#dict(node.entries)
      case 'unary':
        return signed(node.operator, this.#value(node.operand))
      case 'binary':
        return this.#computed(node.operator, this.#value(node.left), this.#value(node.right))
      default:
        return fail(`a ${node.kind} in arithmetic`)
    }
  }

  #dict(entries: readonly [Node | null, Node][]): Value {
    const dict = new Map<Value, Value>()
    for (const [key, node] of entries) {
      const value = this.#value(node)
      if (key === null) {
        if (!(value instanceof Map)) fail('what is unpacked is no dict')
        for (const [name, item] of value as Map<Value, Value>) put(dict, name, item)
      } else put(dict, this.#value(key), value)
    }
    return dict
  }

  #computed(operator: string, left: Value, right: Value): Value {
    if (typeof left === 'string' && operator === '%') return fail('formatting a text')
    if (operator === '*') {
      const repeated = this.#repeated(left, right) ?? this.#repeated(right, left)
      if (repeated !== null) return repeated
    }
    if (operator === '+') {
      const joined = joinedOf(left, right)
      if (joined !== null) return this.#counted(joined)
    }
    if (operator === '|' && left instanceof Map && right instanceof Map) {
      const dict = new Map(left)
      for (const [key, item] of right) put(dict, key, item)
      return this.#counted(dict)
    }
    const result = arithmetic(operator, left, right)
    // Long integers cost what texts do; short ones no more than the operator that made them.
    return typeof result === 'bigint' ? this.#counted(result) : result
  }

  #repeated(value: Value, count: Value): Value | null {
    const times = typeof count === 'boolean' ? BigInt(count) : count
    const items = value instanceof Tuple ? value.items : value
    if (typeof times !== 'bigint' || (typeof items !== 'string' && !Array.isArray(items))) return null
    const size = sizeOf(value, this.#left)
    if (times > 0n && size > 0 && times * BigInt(size) > BigInt(this.#left))
      return fail('too much is computed')
    const n = times > 0n && items.length > 0 ? Number(times) : 0
    if (typeof items === 'string') return this.#counted(items.repeat(n))
    const list = Array.from({ length: n }, () => items as readonly Value[]).flat()
    return this.#counted(value instanceof Tuple ? new Tuple(list) : list)
  }
  #counted(value: Value): Value {
    this.#left -= sizeOf(value, this.#left)
    return this.#left < 0 ? fail('too much is computed') : value
  }
}

/** Characters, items and digits, each list and dict for one more; stops counting beyond the bound. */
function sizeOf(value: Value, bound: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value === 'bigint') return py.digitsOf(value)
  const items = value instanceof Tuple ? value.items : value instanceof Map ? [...value].flat() : value
  if (!Array.isArray(items)) return 1
  let size = 1
  for (const item of items as readonly Value[]) {
    if (size > bound) break
    size += sizeOf(item, bound - size)
  }
  return size
}

function joinedOf(left: Value, right: Value): Value | null {
  if (typeof left === 'string' && typeof right === 'string') return left + right
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right]
  if (left instanceof Tuple && right instanceof Tuple) return new Tuple([...left.items, ...right.items])
  return null
}

function put(dict: Map<Value, Value>, key: Value, value: Value) {
  if (typeof key === 'object' && key !== null) fail('a key that has no form in JSON')
  dict.set(keyIn<Value>(dict, key), value)
}

function plain(value: Value): Py {
  if (value instanceof Tuple) return value.items.map(plain)
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Map)
    return new Dict([...value].map(([key, item]): [Py, Py] => [plain(key), plain(item)]))
  return value
}

function numberIn(value: Value): py.Num {
  return numberOf(value as Py) ?? fail('no number')
}
function integerIn(value: Value): bigint {
  const number = numberIn(value)
  return typeof number === 'bigint' ? number : fail('no integer')
}

function signed(operator: string, value: Value): Value {
  if (operator === 'not') return !isTrue(value)
  if (operator === '~') return ~integerIn(value)
  const number = numberIn(value)
  return operator === '-' ? -number : number
}
function isTrue(value: Value): boolean {
  if (value instanceof Tuple) return value.items.length > 0
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Map) return value.size > 0
  return typeof value === 'number' ? value !== 0 : Boolean(value)
}

const onNumbers: Readonly<Record<string, (a: py.Num, b: py.Num) => py.Num>> = {
  '+': py.add,
  '-': py.subtract,
  '*': py.multiply,
  '/': py.divide,
  '//': py.floorDivide,
  '%': py.modulo,
  '**': py.power,
}
const onIntegers: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) =>
    b < 0n || (a !== 0n && b > maxBits) ? fail('a shift out of bounds') : a === 0n ? 0n : a << b,
  '>>': (a, b) => (b < 0n ? fail('a shift out of bounds') : a >> b),
}

function arithmetic(operator: string, left: Value, right: Value): Value {
  const integers = onIntegers[operator]
  if (integers) {
    const result = integers(bounded(integerIn(left)), bounded(integerIn(right)))
    const isLogic = typeof left === 'boolean' && typeof right === 'boolean' && operator.length === 1
    return isLogic ? result !== 0n : bounded(result)
  }
  const [a, b] = [numberIn(left), numberIn(right)].map(bounded)
  const operation = onNumbers[operator] ?? fail(`no numbers for ${operator}`)
  try {
    return bounded(operation(a!, b!))
  } catch (error) {
    // Overflow, division by zero, complex results.
    return fail((error as Error).message)
  }
}
function bounded<T extends py.Num>(value: T): T {
  if (typeof value === 'bigint' && (value < 0n ? -value : value) >> maxBits !== 0n)
    fail(`an integer of more than ${maxBits} bits`)
  return value
}
