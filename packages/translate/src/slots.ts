/** Writes and reads the fillers of a form's slots. */
import type { Expr, VariableReference } from '@stateeval/contracts'
import { createLiteral, type ValuePath, type SlotKind } from '@stateeval/program'
import type { TranslationContext } from './context.ts'
import { type SlotFiller, simplifyExpr } from './filler.ts'
import { listMentions, readMentions } from './mention.ts'
import { isName, isPlain } from './text/path-text.ts'
import { clue, type ReadReference, readReference } from './read-reference.ts'
import type { InstructionReading } from './reading.ts'
import { sayReference } from './reference.ts'
import { readList, readValue, sayList, sayValue } from './value.ts'
import { choose, isSuitable, type WordingVoice } from './voice.ts'

/** Phrases a filler; `reads` are the parts of it that the call uses. */
export function sayFiller(
  filler: SlotFiller,
  kind: SlotKind,
  context: TranslationContext,
  voice: WordingVoice,
  reads: readonly ValuePath[],
): string | null {
  if (filler.kind === 'thing') {
    if (kind !== 'reference') return null
    const options = listMentions(context).filter(
      (mention) =>
        mention.kind === 'thing' && mention.statedCall === filler.statedCall && isSuitable(mention, voice),
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
      return expr.kind === 'reference' && isOfKind(kind, expr, context)
        ? sayReference(expr, context, voice, kind === 'copy' ? [] : reads)
        : null
    case 'literal':
      return simplifyExpr(expr).kind === 'literal' ? sayValue(simplifyExpr(expr), context, voice) : null
    case 'value':
      return sayValue(simplifyExpr(expr), context, voice)
    case 'word':
      return expr.kind === 'literal' && isWord(expr.value) ? quoteUnlessPlain(expr.value) : null
    case 'list':
      return sayList(expr, context, voice)
  }
}

export function readFiller(
  reading: InstructionReading,
  from: number,
  to: number,
  kind: SlotKind,
  context: TranslationContext,
): SlotFiller[] {
  const values = (exprs: readonly Expr[]) => exprs.map((expr): SlotFiller => ({ kind: 'value', expr }))
  switch (kind) {
    case 'reference':
    case 'variable':
    case 'copy': {
      const references = readReference(reading, from, to, context).filter((reference) =>
        isOfKind(kind, reference, context),
      )
      if (kind === 'variable') return values(references)
      if (kind === 'copy') return values(references.map(markAsCopy))
      const things = new Map(
        readMentions(reading, from, to, context)
          .filter(({ mention }) => mention.kind === 'thing' && !mention.statedCall.overtaken)
          .map(({ mention }) => [mention.statedCall, mention]),
      )
      return [
        ...values(references),
        ...[...things].map(([statedCall, mention]): SlotFiller => ({ kind: 'thing', statedCall, mention })),
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

const markAsCopy = (reference: ReadReference): ReadReference => {
  const wording = reference[clue]
  return wording ? { ...reference, [clue]: { ...wording, copy: true } } : reference
}
const quoteUnlessPlain = (word: string) => (isPlain(word) ? word : `\`${String(word)}\``)
const isOfKind = (kind: SlotKind, { variable }: VariableReference, { variables }: TranslationContext) =>
  kind === 'reference' || variables.has(variable) === (kind === 'variable')
const isWord = (text: unknown): text is string => typeof text === 'string' && text.split('.').every(isName)
