/** Writes and reads the fillers of a form's slots. */
import type { Expr, VariableReference } from '@stateeval/contracts'
import { createLiteral, type ValuePath, type SlotKind } from '@stateeval/program'
import type { Context } from './context.ts'
import { type Filler, plainExpr } from './filler.ts'
import { mentions, readMentions } from './mention.ts'
import { isName, isPlain } from './text/path-text.ts'
import { clue, type ReadReference, readReference } from './read-reference.ts'
import type { InstructionReading } from './reading.ts'
import { sayReference } from './reference.ts'
import { readList, readValue, sayList, sayValue } from './value.ts'
import { choose, suits, type Voice } from './voice.ts'

/** Phrases a filler; `reads` are the parts of it that the call uses. */
export function sayFiller(
  filler: Filler,
  kind: SlotKind,
  context: Context,
  voice: Voice,
  reads: readonly ValuePath[],
): string | null {
  if (filler.kind === 'thing') {
    if (kind !== 'reference') return null
    const options = mentions(context).filter(
      (mention) =>
        mention.kind === 'thing' && mention.statedCall === filler.statedCall && suits(mention, voice),
    )
    return options.length === 0
      ? null
      : choose(
          options.map(({ says, weight }) => ({ text: () => says, weight })),
          voice,
        )
  }
  const { expr } = filler
  switch (kind) {
    case 'reference':
    case 'variable':
    case 'copy':
      return expr.kind === 'reference' && isOf(kind, expr, context)
        ? sayReference(expr, context, voice, kind === 'copy' ? [] : reads)
        : null
    case 'literal':
      return plainExpr(expr).kind === 'literal' ? sayValue(plainExpr(expr), context, voice) : null
    case 'value':
      return sayValue(plainExpr(expr), context, voice)
    case 'word':
      return expr.kind === 'literal' && isWord(expr.value) ? bareOrQuoted(expr.value) : null
    case 'list':
      return sayList(expr, context, voice)
  }
}

export function readFiller(
  reading: InstructionReading,
  from: number,
  to: number,
  kind: SlotKind,
  context: Context,
): Filler[] {
  const values = (exprs: readonly Expr[]) => exprs.map((expr): Filler => ({ kind: 'value', expr }))
  switch (kind) {
    case 'reference':
    case 'variable':
    case 'copy': {
      const references = readReference(reading, from, to, context).filter((reference) =>
        isOf(kind, reference, context),
      )
      if (kind === 'variable') return values(references)
      if (kind === 'copy') return values(references.map(asCopy))
      const things = new Map(
        readMentions(reading, from, to, context)
          .filter(({ mention }) => mention.kind === 'thing' && !mention.statedCall.overtaken)
          .map(({ mention }) => [mention.statedCall, mention]),
      )
      return [
        ...values(references),
        ...[...things].map(([statedCall, mention]): Filler => ({ kind: 'thing', statedCall, mention })),
      ]
    }
    case 'literal': {
      const constant = reading.only('literal', from, to)
      return constant ? values([createLiteral(constant.value)]) : []
    }
    case 'value':
      return values(readValue(reading, from, to, context))
    case 'word': {
      const word = reading.only('word', from, to) ?? reading.only('name', from, to)
      return word && isWord(word.text) ? values([createLiteral(word.text)]) : []
    }
    case 'list':
      return values(readList(reading, from, to, context))
  }
}

const asCopy = (reference: ReadReference): ReadReference => {
  const wording = reference[clue]
  return wording ? { ...reference, [clue]: { ...wording, copy: true } } : reference
}
const bareOrQuoted = (word: string) => (isPlain(word) ? word : `\`${String(word)}\``)
const isOf = (kind: SlotKind, { variable }: VariableReference, { variables }: Context) =>
  kind === 'reference' || variables.has(variable) === (kind === 'variable')
const isWord = (text: unknown): text is string => typeof text === 'string' && text.split('.').every(isName)
