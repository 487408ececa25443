/** The parts of Python's expressions: names, literals, displays, calls, subscripts. */
import { parseNumberLiteral, parseStringLiteral } from './literals.ts'
import { createUnreadable } from './read.ts'
import type { PyToken } from './tokens.ts'
import { maxDepth, type SyntaxNode, type SyntaxPart } from './tree.ts'

const constants = new Map([
  ['True', true],
  ['False', false],
  ['None', null],
])

/** Reads what operators stand between. Reading what they make of it is a subclass’s part. */
export abstract class AtomReader {
  abstract expression(): SyntaxNode
  abstract binary(): SyntaxNode

  readonly tokens: readonly PyToken[]
  at = 0
  nesting = 0

  constructor(tokens: readonly PyToken[]) {
    this.tokens = tokens
  }

  get token(): PyToken {
    return this.tokens[this.at]!
  }
  fail(says: string): never {
    return createUnreadable(says, this.token.at)
  }
  /** Tells whether the operator or keyword is next. */
  sees(text: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead]
    return token?.text === text && (token.type === 'operator' || token.type === 'keyword')
  }
  takes(text: string): boolean {
    if (!this.sees(text)) return false
    this.at++
    return true
  }
  expects(text: string) {
    if (!this.takes(text)) this.fail(`${text} is missing`)
  }
  makeNode(part: SyntaxPart, ...children: (SyntaxNode | null)[]): SyntaxNode {
    let depth = 1
    for (const child of children) if (child !== null && child.depth >= depth) depth = child.depth + 1
    if (depth > maxDepth) this.fail('nested too deep')
    return Object.assign(part, { depth })
  }
  nested(read: () => SyntaxNode): SyntaxNode {
    if (++this.nesting > maxDepth) this.fail('nested too deep')
    const node = read()
    this.nesting--
    return node
  }

  primary(): SyntaxNode {
    let node = this.atom()
    for (;;) {
      if (this.takes('.')) {
        const { text: name, type } = this.token
        if (type !== 'name') this.fail('a name is missing')
        this.at++
        node = this.makeNode({ kind: 'attribute', of: node, name }, node)
      } else if (this.takes('(')) node = this.call(node)
      else if (this.takes('[')) {
        const slice = this.slices()
        node = this.makeNode({ kind: 'subscript', of: node, slice }, node, slice)
      } else return node
    }
  }
  call(of: SyntaxNode): SyntaxNode {
    const positional: SyntaxNode[] = []
    const keywords: [string | null, SyntaxNode][] = []
    for (let isUnpacked = false; !this.takes(')');) {
      const { text, type } = this.token
      if (type === 'name' && this.sees('=', 1)) {
        this.at += 2
        keywords.push([text, this.expression()])
      } else if (this.takes('**')) {
        keywords.push([null, this.expression()])
        isUnpacked = true
      } else {
        if (isUnpacked || (keywords.length > 0 && !this.sees('*'))) this.fail('a place behind a keyword')
        positional.push(this.item(() => this.expression()))
      }
      if (!this.takes(',') && !this.sees(')')) this.fail('a comma is missing')
    }
    return this.makeNode(
      { kind: 'call', of, positional, keywords },
      of,
      ...positional,
      ...keywords.map(([, node]) => node),
    )
  }
  /** @param starred what may stand behind a star. */
  item(starred: () => SyntaxNode): SyntaxNode {
    if (!this.takes('*')) return this.expression()
    const of = starred()
    return this.makeNode({ kind: 'starred', of }, of)
  }
  slices(): SyntaxNode {
    const items = [this.slice()]
    let isTuple = items[0]!.kind === 'starred'
    while (this.takes(',')) {
      isTuple = true
      if (this.sees(']')) break
      items.push(this.slice())
    }
    this.expects(']')
    return isTuple ? this.makeNode({ kind: 'tuple', items }, ...items) : items[0]!
  }
  slice(): SyntaxNode {
    const isAbsent = () => this.sees(':') || this.sees(',') || this.sees(']')
    const lower = this.sees(':') ? null : this.item(() => this.expression())
    if (lower?.kind === 'starred' || !this.takes(':')) return lower!
    const upper = isAbsent() ? null : this.expression()
    const step = this.takes(':') && !isAbsent() ? this.expression() : null
    return this.makeNode({ kind: 'slice', parts: [lower, upper, step] }, lower, upper, step)
  }

  atom(): SyntaxNode {
    const { type, text, at } = this.token
    if (type === 'string') {
      const texts: string[] = []
      for (; this.token.type === 'string'; this.at++) texts.push(this.token.text)
      return this.makeNode(parseStringLiteral(texts, at))
    }
    this.at++
    if (type === 'number') return this.makeNode(parseNumberLiteral(text, at))
    if (type === 'name') return this.makeNode({ kind: 'name', id: text })
    if (type === 'keyword' && constants.has(text))
      return this.makeNode({ kind: 'constant', value: constants.get(text)! })
    if (type === 'operator' && text === '...')
      return this.makeNode({ kind: 'opaque', what: 'ellipsis', text })
    if (type === 'operator' && text === '(') return this.group()
    if (type === 'operator' && text === '[') {
      const { items } = this.items(']')
      return this.makeNode({ kind: 'list', items }, ...items)
    }
    if (type === 'operator' && text === '{') return this.braces()
    this.at--
    return this.fail('a value is missing')
  }
  items(close: string): { items: SyntaxNode[]; hasComma: boolean } {
    const items: SyntaxNode[] = []
    let hasComma = false
    while (!this.takes(close)) {
      if (items.length > 0 && !hasComma) this.fail('a comma is missing')
      items.push(this.item(() => this.binary()))
      hasComma = this.takes(',')
    }
    return { items, hasComma }
  }
  group(): SyntaxNode {
    const { items, hasComma } = this.items(')')
    if (items.length !== 1 || hasComma) return this.makeNode({ kind: 'tuple', items }, ...items)
    return items[0]!.kind === 'starred' ? this.fail('a star in brackets') : items[0]!
  }
  braces(): SyntaxNode {
    const entries: [SyntaxNode | null, SyntaxNode][] = []
    const items: SyntaxNode[] = []
    while (!this.takes('}')) {
      if (items.length === 0 && this.takes('**')) entries.push([null, this.binary()])
      else {
        const first = this.item(() => this.binary())
        if (items.length === 0 && first.kind !== 'starred' && this.takes(':'))
          entries.push([first, this.expression()])
        else if (entries.length > 0) this.fail('a colon is missing')
        else items.push(first)
      }
      if (!this.takes(',') && !this.sees('}')) this.fail('a comma is missing')
    }
    return items.length > 0
      ? this.makeNode({ kind: 'set', items }, ...items)
      : this.makeNode({ kind: 'dict', entries }, ...entries.flat())
  }
}
