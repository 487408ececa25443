/**
 * Python's expressions as a tree, by the grammar of Python 3.11: what Python refuses throws an
 * UnreadableError. Refused here but not in Python are lambdas, comprehensions, `await`, `yield`, `:=` and
 * f-strings. Reads in linear time.
 */
import { AtomReader } from './atoms.ts'
import { readPyTokens } from './tokens.ts'
import type { SyntaxNode } from './tree.ts'

/** How strongly operators bind, from `|` to `*`. */
const strengths = new Map(
  [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%', '@']].flatMap((signs, at) =>
    signs.map((sign): [string, number] => [sign, at + 1]),
  ),
)
const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', 'is'])
/** The whole text as one expression, as `ast.parse(text, mode="eval")` takes it. */
export const parseExpression = (text: string): SyntaxNode => new ExpressionParser(readPyTokens(text)).whole()

class ExpressionParser extends AtomReader {
  whole(): SyntaxNode {
    const first = this.expression()
    const items = [first]
    while (this.takes(',') && !['newline', 'end'].includes(this.token.type)) items.push(this.expression())
    const isTuple = this.tokens[this.at - 1]!.text === ',' || items.length > 1
    while (this.token.type === 'newline') this.at++
    if (this.token.type !== 'end') this.fail('something behind the expression')
    return isTuple ? this.makeNode({ kind: 'tuple', items }, ...items) : first
  }

  expression(): SyntaxNode {
    return this.nested(() => {
      const body = this.boolean('or')
      if (!this.takes('if')) return body
      const test = this.boolean('or')
      this.expects('else')
      const otherwise = this.expression()
      return this.makeNode({ kind: 'choice', body, test, otherwise }, body, test, otherwise)
    })
  }
  boolean(operator: 'and' | 'or'): SyntaxNode {
    const next = () => (operator === 'or' ? this.boolean('and') : this.inversion())
    const values = [next()]
    while (this.takes(operator)) values.push(next())
    return values.length === 1 ? values[0]! : this.makeNode({ kind: 'boolean', operator, values }, ...values)
  }
  inversion(): SyntaxNode {
    if (!this.takes('not')) return this.comparison()
    const operand = this.nested(() => this.inversion())
    return this.makeNode({ kind: 'unary', operator: 'not', operand }, operand)
  }
  comparison(): SyntaxNode {
    const left = this.binary()
    const rest: [string, SyntaxNode][] = []
    for (let sign = this.comparisonSign(); sign !== null; sign = this.comparisonSign())
      rest.push([sign, this.binary()])
    return rest.length === 0
      ? left
      : this.makeNode({ kind: 'comparison', left, rest }, left, ...rest.map(([, node]) => node))
  }
  comparisonSign(): string | null {
    const { text, type } = this.token
    if (this.sees('not') && this.sees('in', 1)) {
      this.at += 2
      return 'not in'
    }
    if ((type !== 'operator' && type !== 'keyword') || !comparisons.has(text)) return null
    this.at++
    return text === 'is' && this.takes('not') ? 'is not' : text
  }

  binary(strength = 0): SyntaxNode {
    let left = this.unary()
    for (;;) {
      const { text: operator, type } = this.token
      const operatorStrength = type === 'operator' ? (strengths.get(operator) ?? 0) : 0
      if (operatorStrength <= strength) return left
      this.at++
      const right = this.binary(operatorStrength)
      left = this.makeNode({ kind: 'binary', operator, left, right }, left, right)
    }
  }
  unary(): SyntaxNode {
    const operator = this.token.text
    if (this.takes('-') || this.takes('+') || this.takes('~')) {
      const operand = this.nested(() => this.unary())
      return this.makeNode({ kind: 'unary', operator, operand }, operand)
    }
    const left = this.primary()
    if (!this.takes('**')) return left
    // A sign before the exponent belongs to it; one before the base is taken after the power.
    const right = this.nested(() => this.unary())
    return this.makeNode({ kind: 'binary', operator: '**', left, right }, left, right)
  }
}
