/** References as noun phrases: `user_variable_0`, 'that listing', 'the title of the second match'. */
import type { VariableReference } from '@stateeval/contracts'
import { findElement, type ValuePath } from '@stateeval/program'
import { type TranslationContext, isOverlapping, type StatedCall } from './context.ts'
import { formatJsonText } from './text/json-text.ts'
import { listMentions } from './mention.ts'
import { formatOrdinal } from './text/ordinal.ts'
import { isPlain, formatPathText } from './text/path-text.ts'
import { fillTemplate } from './text/template.ts'
import { choose, type WordingOption, isSuitable, type WordingVoice } from './voice.ts'

export const part = 'the {key} of {base}'
export const within = 'the {path} in the {key} of {base}'
export const field = 'the field {path} of {base}'
export const value = 'the value at {path} in {base}'

/**
 * Phrases a reference, or returns null if nothing in this context could mean it. `reads`: the parts of it
 * that matter; empty if it only names the edited value, or if its copy is meant.
 */
export function sayReference(
  reference: VariableReference,
  context: TranslationContext,
  voice: WordingVoice,
  reads: readonly ValuePath[] = [[]],
): string | null {
  const options = listReferenceWordings(reference, context, voice, reads)
  return options.length === 0 ? null : choose(options, voice)
}

function listReferenceWordings(
  { variable, path }: VariableReference,
  context: TranslationContext,
  voice: WordingVoice,
  reads: readonly ValuePath[],
): WordingOption[] {
  if (context.variables.has(variable)) {
    const base: WordingOption = { text: () => `\`${variable}\``, weight: 3 }
    return path.length === 0 ? [base] : listPartOptions(path, base, context, voice)
  }
  const all: WordingOption[] = []
  const allMentions = listMentions(context)
  const asThing = allMentions.some(
    ({ kind, statedCall }) =>
      kind === 'thing' &&
      statedCall.output === variable &&
      listThingParts(statedCall, path).some(([name, rest]) => isPlain(name) && rest.length === 0),
  )
  const needed = asThing ? null : getNeededMention(variable, path, context, voice, reads)
  for (const mention of allMentions) {
    if (mention.statedCall.output !== variable || !isSuitable(mention, voice, needed)) continue
    const of = (nth: Record<string, string>, rest: ValuePath) => {
      const base: WordingOption = { text: () => fillTemplate(mention.says, nth), weight: mention.weight }
      all.push(...(rest.length === 0 ? [base] : listPartOptions(rest, base, context, voice)))
    }
    const element = findElement(mention.statedCall.phrase, path)
    const inside = stripPath(path, mention.statedCall.phrase.at)
    if (mention.kind === 'output') {
      // The element of a list and the part of a thing are said by their own wordings where there are any.
      const { item, shown } = mention.statedCall.phrase
      if (!asThing && !(element && item) && !(inside && shown)) of({}, path)
    } else if (mention.kind === 'shown') {
      if (!asThing && inside && !(element && mention.statedCall.phrase.item)) of({}, inside)
    } else if (mention.kind === 'item' && element) of({ nth: formatOrdinal(element.nth) }, element.rest)
    else if (mention.kind === 'thing') {
      for (const [name, rest] of listThingParts(mention.statedCall, path)) {
        if (isPlain(name) && rest.length === 0) {
          all.push({
            text: () => fillTemplate(part, { key: name, base: mention.says }),
            weight: 3 * mention.weight,
          })
        }
      }
    }
  }
  return all
}

/** The rest of a path that begins with another; null if it does not. */
const stripPath = (path: ValuePath, begin: ValuePath = []): ValuePath | null =>
  begin.every((key, index) => key === path[index]) ? path.slice(begin.length) : null

/**
 * Gets the wording that an output needs, so that nobody takes it for what was returned, or for the present
 * state.
 */
function getNeededMention(
  variable: string,
  path: ValuePath,
  { statedCalls }: TranslationContext,
  voice: WordingVoice,
  reads: readonly ValuePath[],
): 'edited' | 'returned' | null {
  const number = statedCalls.findIndex(({ output }) => output === variable)
  const edits = statedCalls[number]?.edits ?? []
  if (reads.some((read) => edits.some((edit) => isOverlapping([...path, ...read], edit)))) return 'edited'
  return reads.length > 0 && voice.returned?.has(number) ? 'returned' : null
}

/** The parts of a thing that lie in the call's output and lead towards the path, with what is left of it. */
const listThingParts = (statedCall: StatedCall, path: ValuePath): [string, ValuePath][] =>
  Object.entries(statedCall.phrase.thing?.parts ?? {}).flatMap(([name, lies]): [string, ValuePath][] =>
    'output' in lies && lies.output.every((key, index) => key === path[index])
      ? [[name, path.slice(lies.output.length)]]
      : [],
  )

/** Ways to say what lies at a path inside something that is said already. */
function listPartOptions(
  path: ValuePath,
  base: WordingOption,
  context: TranslationContext,
  { careful }: WordingVoice,
): WordingOption[] {
  const { fields, inside } = context.vocabulary ?? { fields: [], inside: undefined }
  const isField = (key: unknown) => inside === undefined || fields.includes(key as string)
  const of = (template: string, slots: Record<string, string>, weight: number): WordingOption => ({
    text: () => fillTemplate(template, { ...slots, base: base.text() }),
    weight: weight * base.weight,
  })
  const all: WordingOption[] = []
  const [first, ...rest] = path
  const elided = path.length > 1 && first === inside && typeof path[1] === 'string' && !isField(path[1])
  const direct = path.length === 1 && isField(first)
  const key = direct ? formatPathText(path) : elided ? formatPathText(rest) : null
  if (key !== null && (direct || !careful)) {
    const plain = isPlain(key) && key !== 'number'
    const name = plain ? key : `\`${key}\``
    all.push(of(part, { key: name }, 6))
  }
  const restText = formatPathText(rest)
  if (isPlain(first) && isField(first) && restText)
    all.push(of(within, { path: `\`${restText}\``, key: first }, elided ? 1 : 4))
  if (all.length > 0) return all
  const whole = formatPathText(path)
  return [whole ? of(field, { path: `\`${whole}\`` }, 1) : of(value, { path: formatJsonText([...path]) }, 1)]
}
