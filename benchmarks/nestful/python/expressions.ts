/**
 * Python call expressions as a careful reader takes them: `[f(a=1, b="x"), g(c=[2, 3])]`, `x = f(a=1)`,
 * JSON's `true` and `null` too. Reads in linear time; what a name, an attribute or an inner call stands for
 * is the caller's to say. Python's own grammar is in `syntax.ts`.
 */
import {
  add,
  countDigits,
  divideNumbers,
  divideFloor,
  computeModulo,
  multiplyNumbers,
  requireNumber,
  raiseNumber,
  subtractNumbers,
} from '../functions/numbers.ts'
import { readFromPosition, createUnreadable } from './read.ts'
import { PyDict, type PyValue } from './value.ts'

export interface CallExpression {
  /** The variable that it is assigned to. */
  target?: string
  name: string
  keywords: PyDict
  positional: PyValue[]
}

/** Meanings of names, calls and attributes. */
export interface ExpressionMeanings {
  /** A bare name. */
  name(name: string): PyValue
  /** `a.b.c`; null where it is an error. */
  attribute?(names: string): PyValue | null
  /** A call within an argument; `source` is its text. */
  call(call: CallExpression, source: string): PyValue
  /** Number of digits that may still be computed, in everything read with these meanings. */
  digitsLeft: number
}

/** For `digitsLeft`: what computes longer integers has no call that anybody asked for. */
export const maxComputedDigits = 200_000

const identifier = /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y
const binary = /\*\*|\/\/|[-+*/%]/y
const strengths: Readonly<Record<string, number>> = {
  '+': 1,
  '-': 1,
  '*': 2,
  '/': 2,
  '//': 2,
  '%': 2,
  '**': 3,
}
const operations = {
  '+': add,
  '-': subtractNumbers,
  '*': multiplyNumbers,
  '/': divideNumbers,
  '//': divideFloor,
  '%': computeModulo,
  '**': raiseNumber,
}
const keywords: Readonly<Record<string, PyValue>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
}
const deepest = 100

export class ExpressionReader {
  at: number
  readonly text: string
  readonly meanings: ExpressionMeanings
  #depth = 0

  constructor(text: string, at: number, meanings: ExpressionMeanings) {
    this.text = text
    this.at = at
    this.meanings = meanings
  }

  fail(says: string): never {
    return createUnreadable(says, this.at)
  }
  blanks() {
    while (this.at < this.text.length && ' \t\n\r'.includes(this.text[this.at]!)) this.at++
  }
  peek(): string {
    this.blanks()
    return this.text[this.at] ?? ''
  }
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)?.[0]
    if (match !== undefined) this.at += match.length
    return match
  }

  /** `f(…)` or `x = f(…)`. */
  statement(): CallExpression {
    this.blanks()
    const first = this.#match(identifier) ?? this.fail('a call is missing')
    if (this.peek() !== '=') return this.#callOf(first)
    this.at++
    this.blanks()
    const name = this.#match(identifier) ?? this.fail('a call is missing')
    return { target: first, ...this.#callOf(name) }
  }

  #callOf(name: string): CallExpression {
    if (this.peek() !== '(') this.fail('a call is missing')
    this.at++
    const call: CallExpression = { name, keywords: new PyDict(), positional: [] }
    while (this.peek() !== ')') {
      const from = this.at
      const key = this.#match(identifier)
      if (key !== undefined && this.peek() === '=' && this.text[this.at + 1] !== '=') {
        this.at++
        call.keywords.set(key, this.value())
      } else {
        this.at = from
        call.positional.push(this.value())
      }
      if (this.peek() === ',') this.at++
      else if (this.peek() !== ')') this.fail('a comma is missing')
    }
    this.at++
    return call
  }

  value(strength = 0): PyValue {
    if (++this.#depth > deepest) this.fail('nested too deep')
    let left = this.#operand()
    for (;;) {
      this.blanks()
      const from = this.at
      const operator = this.#match(binary)
      const operatorStrength = operator === undefined ? 0 : strengths[operator]!
      if (operator === undefined || operatorStrength <= strength) {
        this.at = from
        break
      }
      const right = this.value(operator === '**' ? operatorStrength - 1 : operatorStrength)
      left = this.#computed(operator as keyof typeof operations, left, right)
    }
    this.#depth--
    return left
  }
  #computed(operator: keyof typeof operations, left: PyValue, right: PyValue): PyValue {
    if (operator === '+' && typeof left === 'string' && typeof right === 'string') return left + right
    if (this.meanings.digitsLeft < 0) this.fail('too much is computed')
    try {
      const result = operations[operator](requireNumber(left, operator), requireNumber(right, operator))
      if (typeof result === 'bigint') this.meanings.digitsLeft -= countDigits(result)
      return result
    } catch (error) {
      return this.fail((error as Error).message)
    }
  }

  #operand(): PyValue {
    const char = this.peek()
    if (char === '-' || char === '+') {
      this.at++
      if (++this.#depth > deepest) this.fail('nested too deep')
      const value = this.#operand()
      this.#depth--
      if (typeof value !== 'number' && typeof value !== 'bigint')
        this.fail('a sign before something other than a number')
      return char === '-' ? -value : value
    }
    if (char === '[') return this.#list(']')
    if (char === '(') {
      const items = this.#list(')')
      // Brackets around one value only group it.
      return items.length === 1 && this.text[this.at - 2] !== ',' ? items[0]! : items
    }
    if (char === '{') return this.#dict()
    if (/[A-Za-z_]/.test(char)) return this.#named()
    const { value, end } = readFromPosition(this.text, this.at)
    this.at = end
    return value
  }

  #list(close: string): PyValue[] {
    this.at++
    const items: PyValue[] = []
    while (this.peek() !== close) {
      items.push(this.value())
      if (this.peek() === ',') this.at++
      else if (this.peek() !== close) this.fail('a comma is missing')
    }
    this.at++
    return items
  }

  #dict(): PyDict {
    this.at++
    const dict = new PyDict()
    while (this.peek() !== '}') {
      const key = this.value()
      if (this.peek() !== ':') this.fail('a colon is missing')
      this.at++
      dict.set(key, this.value())
      if (this.peek() === ',') this.at++
      else if (this.peek() !== '}') this.fail('a comma is missing')
    }
    this.at++
    return dict
  }

  #named(): PyValue {
    const from = this.at
    const name = this.#match(identifier)!
    // f"…", r'…': the text as it stands.
    const quote = this.text[this.at]
    if ((quote === '"' || quote === "'") && name.length <= 2) {
      const { value, end } = readFromPosition(this.text, this.at)
      this.at = end
      return value
    }
    if (Object.hasOwn(keywords, name)) return keywords[name]!
    if (this.text[this.at] === '(') {
      const call = this.#callOf(name)
      return this.meanings.call(call, this.text.slice(from, this.at))
    }
    if (this.text[this.at] === '[') {
      for (let open = 0; this.at < this.text.length; this.at++) {
        if (this.text[this.at] === '[') open++
        if (this.text[this.at] === ']' && --open === 0) break
      }
      this.at++
      return this.meanings.name(this.text.slice(from, this.at))
    }
    if (!name.includes('.')) return this.meanings.name(name)
    return this.meanings.attribute?.(name) ?? this.fail('an attribute')
  }
}
