/** Reads noun phrases as references: every one that the words may mean, with these words. */
import type { VariableReference } from '@stateeval/contracts'
import { type ValuePath, createRef } from '@stateeval/program'
import { type TranslationContext, isOverlapping } from './context.ts'
import type { TextToken } from './text/lex.ts'
import { type MentionedValue, readMentions } from './mention.ts'
import { isPlain, parsePathText } from './text/path-text.ts'
import type { InstructionReading } from './reading.ts'
import { field, part, value, within } from './reference.ts'
import { match } from './text/template.ts'

/** The words in which a reference was read. */
export interface ReadingClue {
  mention: MentionedValue
  /** The place that the mention itself stands for, in the output of its call. */
  base: ValuePath
  /** The wording around it says that it is the program's own copy. */
  copy?: true
}
/** The mark of parsed references; those with the same mark were read in the same words. */
export const clue: unique symbol = Symbol('clue')
export type ReadReference = VariableReference & { [clue]?: ReadingClue }

/** No noun phrase of ours is longer, in tokens; what is, isn't read, so that no text takes long. */
const longest = 100

/** Every reference that these tokens may mean. */
export function readReference(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): ReadReference[] {
  if (to - from > longest) return []
  return reading.once('reference', context, from, to, () => selectDistinct(read(reading, from, to, context)))
}

function read(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): ReadReference[] {
  const { tokens } = reading
  const name = reading.only('name', from, to)
  if (name) return context.variables.has(name.text) ? [createRef(name.text)] : []
  const all: ReadReference[] = []
  for (const { mention, nth } of readMentions(reading, from, to, context)) {
    const { at = [] } = mention.statedCall.phrase
    const base = mention.kind === 'item' ? [...at, nth] : mention.kind === 'shown' ? [...at] : []
    const isOutput = mention.kind !== 'count' && mention.kind !== 'thing'
    // Nobody has an edited copy of what was not edited.
    const isTrue =
      mention.by !== 'edited' || mention.statedCall.edits.some((edit) => isOverlapping(edit, base))
    if (isOutput && isTrue)
      all.push({ ...createRef(mention.statedCall.output, ...base), [clue]: { mention, base } })
  }
  const ids = match<ReadReference>(part, tokens, from, to, (slot, start, end) => {
    if (slot === 'key') return end === start + 1 ? [anything] : []
    return readThingIds(reading, start, end, context, tokens[from + 1])
  })
  all.push(...ids.flatMap(({ base }) => base ?? []))
  for (const [template, paths] of [
    [part, keyPaths],
    [within, withinPaths],
    [field, fieldPaths],
    [value, valuePaths],
  ] as const) {
    const matches = match<ReadReference | (string | number)[]>(
      template,
      tokens,
      from,
      to,
      (slot, start, end) =>
        slot === 'base'
          ? readReference(reading, start, end, context)
          : slot === 'key'
            ? readReferenceKeys(reading, start, end)
            : listReferenceKeys(reading, start, end),
    )
    for (const { base, key, path } of matches) {
      const whole = base as ReadReference
      const after = paths(context, key as string[], path as (string | number)[])
      if (after) all.push({ ...whole, path: [...whole.path, ...after] })
    }
  }
  return all
}

const anything = createRef('')
/** The parts of this name, of the things that are mentioned, that lie in the outputs of their calls. */
const readThingIds = (
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
  name: TextToken | undefined,
): ReadReference[] =>
  readMentions(reading, from, to, context).flatMap(({ mention }) => {
    const { kind, statedCall } = mention
    const parts = statedCall.phrase.thing?.parts ?? {}
    const lies =
      kind === 'thing' && name?.kind === 'word' && Object.hasOwn(parts, name.text)
        ? parts[name.text]
        : undefined
    return lies && 'output' in lies
      ? [{ ...createRef(statedCall.output, ...lies.output), [clue]: { mention, base: lies.output } }]
      : []
  })

type PathReader = (
  context: TranslationContext,
  key: string[],
  path: (string | number)[],
) => (string | number)[] | null
const keyPaths: PathReader = ({ vocabulary }, key) => {
  const { fields, inside } = vocabulary ?? { fields: [], inside: undefined }
  return inside === undefined || (key.length === 1 && fields.includes(key[0] as string))
    ? key
    : [inside, ...key]
}
const withinPaths: PathReader = ({ vocabulary }, [key, ...deeper], path) =>
  deeper.length === 0 && (vocabulary?.inside === undefined || vocabulary.fields.includes(key as string))
    ? [key as string, ...path]
    : null
const fieldPaths: PathReader = (_, __, path) => path
const valuePaths = fieldPaths

/** A key as a plain word, or keys in backticks. */
function readReferenceKeys(reading: InstructionReading, from: number, to: number): string[][] {
  const word = reading.only('word', from, to)
  if (word) return isPlain(word.text) ? [[word.text]] : []
  const path = parsePathText(reading.only('name', from, to)?.text ?? '')
  return path && typeof path[0] === 'string' ? [path as string[]] : []
}

function listReferenceKeys(reading: InstructionReading, from: number, to: number): (string | number)[][] {
  const name = reading.only('name', from, to)
  const literal = reading.only('literal', from, to)?.value
  const path = name
    ? parsePathText(name.text)
    : Array.isArray(literal) && literal.length > 0
      ? (literal as (string | number)[])
      : null
  return path && path.every((key) => typeof key === 'string' || Number.isSafeInteger(key)) ? [path] : []
}

const selectDistinct = (all: ReadReference[]): ReadReference[] => {
  const referencesByText = new Map(
    all.map((reference) => [JSON.stringify([reference.variable, reference.path]), reference]),
  )
  return [...referencesByText.values()]
}
