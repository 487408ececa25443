/**
 * A tree as source text, as Python's `ast.unparse` writes it: one blank around operators, brackets only where
 * they are needed, texts as repr has them.
 */
import { isTooLong } from './literals.ts'
import { createUnreadable } from './read.ts'
import type { SyntaxNode } from './tree.ts'
import { formatPyRepr } from './value.ts'

/** From loose to tight. Whatever stands where something tighter must stand is put in brackets. */
const levels = {
  any: 0,
  choice: 1,
  or: 2,
  and: 3,
  not: 4,
  comparison: 5,
  '|': 6,
  '^': 7,
  '&': 8,
  shift: 9,
  sum: 10,
  term: 11,
  sign: 12,
  power: 13,
  atom: 15,
} as const

const binaryLevels: Readonly<Record<string, number>> = {
  '|': levels['|'],
  '^': levels['^'],
  '&': levels['&'],
  '<<': levels.shift,
  '>>': levels.shift,
  '+': levels.sum,
  '-': levels.sum,
  '*': levels.term,
  '/': levels.term,
  '//': levels.term,
  '%': levels.term,
  '@': levels.term,
  '**': levels.power,
}

export function formatSource(node: SyntaxNode, level: number = levels.any): string {
  const inBrackets = (itsLevel: number, text: string) => (level > itsLevel ? `(${text})` : text)
  switch (node.kind) {
    case 'constant':
      return formatConstant(node)
    case 'opaque':
      return node.text
    case 'name':
      return node.id
    case 'attribute':
      return `${formatSource(node.of, levels.atom)}${requiresBlank(node.of) ? ' ' : ''}.${node.name}`
    case 'subscript':
      return `${formatSource(node.of, levels.atom)}[${formatSlice(node.slice)}]`
    case 'call': {
      const keywords = node.keywords.map(
        ([name, value]) => `${name === null ? '**' : `${name}=`}${formatSource(value)}`,
      )
      return `${formatSource(node.of, levels.atom)}(${[...node.positional.map((one) => formatSource(one)), ...keywords].join(', ')})`
    }
    case 'list':
      return `[${node.items.map((item) => formatSource(item)).join(', ')}]`
    case 'tuple':
      return `(${formatItems(node.items)})`
    case 'set':
      return `{${node.items.map((item) => formatSource(item)).join(', ')}}`
    case 'dict':
      return `{${node.entries
        .map(([key, value]) =>
          key === null
            ? `**${formatSource(value, levels['|'])}`
            : `${formatSource(key)}: ${formatSource(value)}`,
        )
        .join(', ')}}`
    case 'unary': {
      const itsLevel = node.operator === 'not' ? levels.not : levels.sign
      return inBrackets(
        itsLevel,
        `${node.operator}${itsLevel === levels.not ? ' ' : ''}${formatSource(node.operand, itsLevel)}`,
      )
    }
    case 'binary': {
      const itsLevel = binaryLevels[node.operator]!
      const [left, right] = node.operator === '**' ? [itsLevel + 1, itsLevel] : [itsLevel, itsLevel + 1]
      return inBrackets(
        itsLevel,
        `${formatSource(node.left, left)} ${node.operator} ${formatSource(node.right, right)}`,
      )
    }
    case 'boolean': {
      const itsLevel = levels[node.operator]
      // Python demands a level more of each further value, so `a or b or c < d` is left as it is and a fourth
      // value gets brackets.
      const values = node.values.map((value, at) =>
        formatSource(value, Math.min(itsLevel + 1 + at, levels.atom)),
      )
      return inBrackets(itsLevel, values.join(` ${node.operator} `))
    }
    case 'comparison': {
      const next = levels.comparison + 1
      const rest = node.rest.map(([sign, one]) => ` ${sign} ${formatSource(one, next)}`)
      return inBrackets(levels.comparison, formatSource(node.left, next) + rest.join(''))
    }
    case 'choice': {
      const [body, test] = [node.body, node.test].map((one) => formatSource(one, levels.choice + 1))
      return inBrackets(
        levels.choice,
        `${body} if ${test} else ${formatSource(node.otherwise, levels.choice)}`,
      )
    }
    case 'starred':
      return `*${formatSource(node.of, levels['|'])}`
    case 'slice': {
      const [lower, upper, step] = node.parts.map((part) => (part === null ? '' : formatSource(part)))
      return `${lower}:${upper}${node.parts[2] === null ? '' : `:${step}`}`
    }
  }
}

const formatItems = (items: readonly SyntaxNode[]): string =>
  items.length === 1 ? `${formatSource(items[0]!)},` : items.map((item) => formatSource(item)).join(', ')

/** Within square brackets a tuple has none of its own, unless it is empty. */
const formatSlice = (slice: SyntaxNode): string =>
  slice.kind === 'tuple' && slice.items.length > 0 ? formatItems(slice.items) : formatSource(slice)

/** `1 .real`: without the blank the dot would be the number's. */
const requiresBlank = (of: SyntaxNode): boolean =>
  of.kind === 'constant' && (typeof of.value === 'bigint' || typeof of.value === 'boolean')

function formatConstant({ value, hasU }: SyntaxNode & { kind: 'constant' }): string {
  if (value === Number.POSITIVE_INFINITY) return '1e309'
  if (typeof value === 'bigint' && isTooLong(value)) createUnreadable('a number with too many digits', 0)
  return `${hasU ? 'u' : ''}${formatPyRepr(value)}`
}
