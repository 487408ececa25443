/** References as noun phrases: `user_variable_0`, 'that listing', 'the title of the second match'. */
import type { Reference } from '@stateeval/contracts'
import { type Path, ref } from '@stateeval/program'
import type { Context, StatedCall } from './context.ts'
import { jsonText } from './json-text.ts'
import type { Token } from './lex.ts'
import { mentions, readMentions } from './mention.ts'
import { ordinal } from './ordinal.ts'
import { isPlain, pathOf, pathText } from './path-text.ts'
import type { Reading } from './reading.ts'
import { fill, match } from './template.ts'
import { choose, type Option, suits, type Voice } from './voice.ts'

const part = 'the {key} of {base}'
const possessive = "{base}'s {key}"
const within = 'the {path} in the {key} of {base}'
const field = 'the field {path} of {base}'
const value = 'the value at {path} in {base}'

/** Something said already; a variable's name takes an 's. */
type Base = Option & { name: boolean }

/** Says a reference, or null where nothing in this context could mean it. */
export function sayReference(reference: Reference, context: Context, voice: Voice): string | null {
  const options = wordings(reference, context, voice)
  return options.length === 0 ? null : choose(options, voice)
}

function wordings({ variable, path }: Reference, context: Context, voice: Voice): Option[] {
  const all: Option[] = []
  if (context.it && path.length === 0 && context.it.variable === variable && !voice.careful)
    all.push({ text: () => 'it', weight: 6 })
  if (context.variables.has(variable)) {
    const base: Base = { text: () => `\`${variable}\``, weight: 3, name: true }
    return [...all, ...(path.length === 0 ? [base] : parts(path, base, context, voice))]
  }
  const allMentions = mentions(context)
  const asThing = allMentions.some(
    ({ kind, statedCall }) =>
      kind === 'thing' &&
      statedCall.output === variable &&
      thingParts(statedCall, path).some(([name, rest]) => isPlain(name) && rest.length === 0),
  )
  for (const mention of allMentions) {
    if (mention.statedCall.output !== variable || !suits(mention, voice)) continue
    const of = (nth: Record<string, string>, rest: Path) => {
      const base: Base = { text: () => fill(mention.says, nth), weight: mention.weight, name: false }
      all.push(...(rest.length === 0 ? [base] : parts(rest, base, context, voice)))
    }
    if (mention.kind === 'output') {
      // The element of a list and the part of a thing are said by their own wordings where there are any.
      if (!asThing && !(typeof path[0] === 'number' && mention.statedCall.phrase.item)) of({}, path)
    } else if (mention.kind === 'item' && typeof path[0] === 'number')
      of({ nth: ordinal(path[0]) }, path.slice(1))
    else if (mention.kind === 'thing') {
      for (const [name, rest] of thingParts(mention.statedCall, path)) {
        if (isPlain(name) && rest.length === 0) {
          all.push({ text: () => fill(part, { key: name, base: mention.says }), weight: 3 * mention.weight })
        }
      }
    }
  }
  return all
}

/** The parts of a thing that lie in the call's output and lead towards the path, with what is left of it. */
const thingParts = (statedCall: StatedCall, path: Path): [string, Path][] =>
  Object.entries(statedCall.phrase.thing?.parts ?? {}).flatMap(([name, lies]): [string, Path][] =>
    'output' in lies && lies.output.every((key, index) => key === path[index])
      ? [[name, path.slice(lies.output.length)]]
      : [],
  )

/** Ways to say what lies at a path inside something that is said already. */
function parts(path: Path, base: Base, context: Context, { careful }: Voice): Option[] {
  const { fields, inside } = context.vocabulary ?? { fields: [], inside: undefined }
  const own = (key: unknown) => inside === undefined || fields.includes(key as string)
  const of = (template: string, slots: Record<string, string>, weight: number): Option => ({
    text: () => fill(template, { ...slots, base: base.text() }),
    weight: weight * base.weight,
  })
  const all: Option[] = []
  const [first, ...rest] = path
  const elided = path.length > 1 && first === inside && typeof path[1] === 'string' && !own(path[1])
  const direct = path.length === 1 && own(first)
  const key = direct ? pathText(path) : elided ? pathText(rest) : null
  if (key !== null && (direct || !careful)) {
    const plain = isPlain(key) && key !== 'number'
    const name = plain ? key : `\`${key}\``
    all.push(of(part, { key: name }, 6))
    if (!careful && base.name) all.push(of(possessive, { key: name }, plain ? 2 : 1))
  }
  const restText = pathText(rest)
  if (isPlain(first) && own(first) && restText)
    all.push(of(within, { path: `\`${restText}\``, key: first }, elided ? 1 : 4))
  if (all.length > 0) return all
  const whole = pathText(path)
  return [whole ? of(field, { path: `\`${whole}\`` }, 1) : of(value, { path: jsonText([...path]) }, 1)]
}

/** No noun phrase of ours is longer, in tokens; what is, isn't read, so that no text takes long. */
const longest = 100

/** Every reference that these tokens may mean. */
export function readReference(reading: Reading, from: number, to: number, context: Context): Reference[] {
  if (to - from > longest) return []
  return reading.once('reference', context, from, to, () => distinct(read(reading, from, to, context)))
}

function read(reading: Reading, from: number, to: number, context: Context): Reference[] {
  const { tokens } = reading
  const name = reading.only('name', from, to)
  if (name) return context.variables.has(name.text) ? [ref(name.text)] : []
  const it = reading.only('word', from, to)
  if (it) return it.text === 'it' && context.it ? [context.it] : []
  const all: Reference[] = []
  for (const { mention, nth } of readMentions(reading, from, to, context)) {
    if (mention.kind === 'output') all.push(ref(mention.statedCall.output))
    if (mention.kind === 'item') all.push(ref(mention.statedCall.output, nth))
  }
  const ids = match<Reference>(part, tokens, from, to, (slot, start, end) => {
    if (slot === 'key') return end === start + 1 ? [anything] : []
    return thingIds(reading, start, end, context, tokens[from + 1])
  })
  all.push(...ids.flatMap(({ base }) => base ?? []))
  for (const [template, paths] of [
    [part, keyPaths],
    [possessive, keyPaths],
    [within, withinPaths],
    [field, fieldPaths],
    [value, valuePaths],
  ] as const) {
    const matches = match<Reference | (string | number)[]>(template, tokens, from, to, (slot, start, end) =>
      slot === 'base'
        ? readReference(reading, start, end, context)
        : slot === 'key'
          ? keys(reading, start, end)
          : keysOf(reading, start, end),
    )
    for (const { base, key, path } of matches) {
      const { variable, path: before } = base as Reference
      const after = paths(context, key as string[], path as (string | number)[])
      if (after) all.push(ref(variable, ...before, ...after))
    }
  }
  return all
}

const anything = ref('')
/** The parts of this name, of the things that are mentioned, that lie in the outputs of their calls. */
const thingIds = (
  reading: Reading,
  from: number,
  to: number,
  context: Context,
  name: Token | undefined,
): Reference[] =>
  readMentions(reading, from, to, context).flatMap(({ mention: { kind, statedCall } }) => {
    const parts = statedCall.phrase.thing?.parts ?? {}
    const lies =
      kind === 'thing' && name?.kind === 'word' && Object.hasOwn(parts, name.text)
        ? parts[name.text]
        : undefined
    return lies && 'output' in lies ? [ref(statedCall.output, ...lies.output)] : []
  })

type Paths = (context: Context, key: string[], path: (string | number)[]) => (string | number)[] | null
const keyPaths: Paths = ({ vocabulary }, key) => {
  const { fields, inside } = vocabulary ?? { fields: [], inside: undefined }
  return inside === undefined || (key.length === 1 && fields.includes(key[0] as string))
    ? key
    : [inside, ...key]
}
const withinPaths: Paths = ({ vocabulary }, [key, ...deeper], path) =>
  deeper.length === 0 && (vocabulary?.inside === undefined || vocabulary.fields.includes(key as string))
    ? [key as string, ...path]
    : null
const fieldPaths: Paths = (_, __, path) => path
const valuePaths = fieldPaths

/** A key as a plain word, or keys in backticks. */
function keys(reading: Reading, from: number, to: number): string[][] {
  const word = reading.only('word', from, to)
  if (word) return isPlain(word.text) ? [[word.text]] : []
  const path = pathOf(reading.only('name', from, to)?.text ?? '')
  return path && typeof path[0] === 'string' ? [path as string[]] : []
}

function keysOf(reading: Reading, from: number, to: number): (string | number)[][] {
  const name = reading.only('name', from, to)
  const literal = reading.only('literal', from, to)?.value
  const path = name
    ? pathOf(name.text)
    : Array.isArray(literal) && literal.length > 0
      ? (literal as (string | number)[])
      : null
  return path && path.every((key) => typeof key === 'string' || Number.isSafeInteger(key)) ? [path] : []
}

const distinct = (all: Reference[]): Reference[] => {
  const referencesByText = new Map(
    all.map((reference) => [JSON.stringify([reference.variable, reference.path]), reference]),
  )
  return [...referencesByText.values()]
}
