/** Arguments and assigned values: references, constants, and lists and objects made of them. */
import type { Atom, Expr, JsonValue } from '@stateeval/contracts'
import { createLiteral } from '@stateeval/program'
import type { TranslationContext } from './context.ts'
import { formatJsonText } from './text/json-text.ts'
import type { InstructionReading } from './reading.ts'
import { readReference } from './read-reference.ts'
import { sayReference } from './reference.ts'
import { readSeries, saySeries } from './series.ts'
import type { WordingVoice } from './voice.ts'

/** Phrases a value, or returns null if a reference in it cannot be phrased. */
export function sayValue(expr: Expr, context: TranslationContext, voice: WordingVoice): string | null {
  switch (expr.kind) {
    case 'reference':
      return sayReference(expr, context, voice)
    case 'literal':
      return formatJsonText(expr.value as JsonValue)
    case 'list': {
      const items = expr.items.map((item) => sayValue(item, context, voice))
      return items.includes(null) ? null : `[${items.join(', ')}]`
    }
    case 'object': {
      const entries = Object.entries(expr.entries).map(
        ([key, item]) => [key, sayValue(item, context, voice)] as const,
      )
      return entries.some(([, text]) => text === null)
        ? null
        : `{${entries.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(', ')}}`
    }
  }
}

/** Every value that these tokens may mean. */
export function readValue(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): Expr[] {
  return [...readAtom(reading, from, to, context), ...readComposite(reading, from, to, context)]
}

function readAtom(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): Atom[] {
  const constant = reading.only('literal', from, to)
  return constant ? [createLiteral(constant.value)] : readReference(reading, from, to, context)
}

/**
 * A list or object in brackets; one of constants alone is a single token, so at least one reference stands in
 * it.
 */
function readComposite(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): Expr[] {
  const [open, close] = [reading.tokens[from], reading.tokens[to - 1]]
  if (open?.kind !== 'mark' || close?.kind !== 'mark') return []
  const comma = [[{ kind: 'mark', text: ',' }]] as const
  if (open.text === '[' && close.text === ']') {
    const all = readSeries(reading, from + 1, to - 1, comma, (start, end) =>
      readAtom(reading, start, end, context),
    )
    return all.map((items): Expr => ({ kind: 'list', items }))
  }
  if (open.text === '{' && close.text === '}') {
    const entry = (start: number, end: number): [string, Atom][] => {
      const key = reading.only('literal', start, start + 1)?.value
      const colon = reading.only('mark', start + 1, start + 2)?.text
      return typeof key === 'string' && colon === ':'
        ? readAtom(reading, start + 2, end, context).map((atom) => [key, atom])
        : []
    }
    return readSeries(reading, from + 1, to - 1, comma, entry).map((entries): Expr => ({
      kind: 'object',
      entries: Object.fromEntries(entries),
    }))
  }
  return []
}

/** Phrases the items of a list as 'a, b, and c'; null for lists without such a wording. */
export function sayList(expr: Expr, context: TranslationContext, voice: WordingVoice): string | null {
  const items: Atom[] =
    expr.kind === 'list'
      ? expr.items
      : expr.kind === 'literal' && Array.isArray(expr.value)
        ? expr.value.map((item: JsonValue) => createLiteral(item))
        : []
  const texts = items.map((item) => sayValue(item, context, voice))
  return texts.length < 2 || texts.includes(null) ? null : saySeries(texts as string[])
}

export const readList = (
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): Expr[] =>
  readSeries(reading, from, to, undefined, (start, end) => readAtom(reading, start, end, context))
    .filter((items) => items.length > 1)
    .map((items): Expr => ({ kind: 'list', items }))
