/** The condition of an if: 'the title of the first match equals `user_constant_0`'. */
import { isDeepStrictEqual } from 'node:util'
import type { Condition, VariableReference } from '@stateeval/contracts'
import { createRef } from '@stateeval/program'
import type { TranslationContext } from './context.ts'
import { listMentions, readMentions } from './mention.ts'
import type { InstructionReading } from './reading.ts'
import { clue, type ReadReference, readReference } from './read-reference.ts'
import { sayReference } from './reference.ts'
import { readAttribute, sayAttribute } from './tensor-attribute.ts'
import { fillTemplate, match } from './text/template.ts'
import { choose, isSuitable, type WordingVoice } from './voice.ts'

const equal = ['{left} equals {right}', '{left} is equal to {right}', '{left} is the same as {right}']
const elements = 'the number of elements in {list}'

export function sayCondition(
  { variable, path, measure, equals }: Condition,
  context: TranslationContext,
  voice: WordingVoice,
): string | null {
  const left =
    sayAttribute({ variable, path, measure }, context, voice) ??
    sayLeft(createRef(variable, ...path), measure, context, voice)
  if (left === null || !context.variables.has(equals)) return null
  return fillTemplate(voice.rng.pick(equal), { left, right: `\`${equals}\`` })
}

const sayLeft = (
  reference: VariableReference,
  measure: Condition['measure'],
  context: TranslationContext,
  voice: WordingVoice,
) => (measure === 'value' ? sayReference(reference, context, voice) : sayCount(reference, context, voice))

function sayCount(list: VariableReference, context: TranslationContext, voice: WordingVoice): string | null {
  const number = context.statedCalls.findIndex(({ output }) => output === list.variable)
  const countMentions = listMentions(context).filter(
    (mention) =>
      mention.kind === 'count' &&
      isDeepStrictEqual(list.path, mention.statedCall.phrase.at ?? []) &&
      mention.statedCall.output === list.variable &&
      isSuitable(mention, voice, voice.returned?.has(number) ? 'returned' : null),
  )
  if (countMentions.length > 0)
    return choose(
      countMentions.map(({ says, weight }) => ({ text: () => says, weight })),
      voice,
    )
  const text = sayReference(list, context, voice)
  return text === null ? null : fillTemplate(elements, { list: text })
}

type ConditionLeft = Pick<Condition, 'variable' | 'path' | 'measure'>

/** Every condition that these tokens may mean. */
export function readCondition(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): Condition[] {
  return equal.flatMap((says) => {
    const all = match<ConditionLeft | string>(says, reading.tokens, from, to, (slot, start, end) => {
      if (slot === 'left') return readConditionLefts(reading, start, end, context)
      const name = reading.only('name', start, end)
      return name && context.variables.has(name.text) ? [name.text] : []
    })
    return all.map(({ left, right }) => ({ ...(left as ConditionLeft), equals: right as string }))
  })
}

function readConditionLefts(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): ConditionLeft[] {
  const of = (measure: 'value' | 'count', { kind: _, ...reference }: ReadReference): ConditionLeft => ({
    ...reference,
    measure,
  })
  const countMentions = readMentions(reading, from, to, context).filter(
    ({ mention }) => mention.kind === 'count',
  )
  const lists = match(elements, reading.tokens, from, to, (_, start, end) =>
    readReference(reading, start, end, context),
  )
  return [
    ...readAttribute(reading, from, to, context),
    ...readReference(reading, from, to, context).map((reference) => of('value', reference)),
    ...[...new Map(countMentions.map(({ mention }) => [mention.statedCall.output, mention]))].map(
      ([output, mention]) => {
        const base = [...(mention.statedCall.phrase.at ?? [])]
        return of('count', { ...createRef(output, ...base), [clue]: { mention, base } })
      },
    ),
    ...lists.map(({ list }) => of('count', list as ReadReference)),
  ]
}
