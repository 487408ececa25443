/**
 * Questions that a query can ask: texts that several sessions of a place have and others don't, and how a
 * program names them.
 */
import type { Atom, JsonValue, JsonObject, VariableReference } from '@stateeval/contracts'
import {
  readPath,
  createLiteral,
  memoize,
  type ValuePath,
  createRef,
  type RandomSource,
  type TraceScope,
} from '@stateeval/program'
import { listKnownSessions, listUserSessions } from './known.ts'
import { leaves } from './leaves.ts'
import type { WorldSession, SessionWorld } from './state.ts'

/**
 * A text in a document that a query can ask for. A quote or backslash would break the service's own query
 * text.
 */
interface QueryText {
  field: string
  text: string
  path: ValuePath
}

/** The texts of a document, also those inside lists. */
const texts = memoize((data: JsonObject): readonly QueryText[] => {
  const all: QueryText[] = []
  const add = (field: string, text: JsonValue, path: ValuePath) => {
    if (typeof text === 'string' && !/["'\\]/.test(text)) all.push({ field, text, path })
  }
  for (const { field, path, value } of leaves(data))
    if (Array.isArray(value)) value.forEach((item, index) => add(field, item, [...path, index]))
    else add(field, value, path)
  return all
})

interface QueryQuestion {
  text: QueryText
  matches: readonly WorldSession[]
  value: Atom
}

function hasText(texts: readonly QueryText[], { text, field }: QueryText): boolean {
  for (const other of texts) if (other.text === text && other.field === field) return true
  return false
}

/**
 * Tells whether several documents have the text and others don't: only then does it show which of them the
 * query asks for, and which match is taken.
 */
function isChoosing(text: QueryText, textsOf: readonly (readonly QueryText[])[]): boolean {
  let matches = 0
  for (const one of textsOf) if (hasText(one, text)) matches++
  return matches > 1 && matches < textsOf.length
}

/**
 * Selects texts that the first session of the place doesn't have, if there are any: then each match has
 * another position than in the plain list.
 */
function selectBest(choosing: readonly QueryText[], first: readonly QueryText[]): readonly QueryText[] {
  const later = choosing.filter((text) => !hasText(first, text))
  return later.length > 0 ? later : choosing
}

/**
 * Lists data that a reference could be mistaken for: that of the user's other sessions, or of the
 * neighbouring and last elements of its list.
 */
function listBesides(
  scope: TraceScope<SessionWorld>,
  { variable, path: [index] }: VariableReference,
): JsonObject[] {
  if (typeof index !== 'number')
    return listUserSessions(scope).flatMap(({ name, data }) => (name === variable ? [] : [data]))
  const list = scope.bindings.find(({ name }) => name === variable)?.value as WorldSession[]
  return [...new Set([index - 1, index + 1, list.length - 1])].flatMap((place) =>
    place === index ? [] : [list[place]?.data].filter((data) => data !== undefined),
  )
}
const hasQueryText = (data: JsonObject, { text, path }: QueryText) => readPath(data, path) === text

/**
 * A document whose texts can be asked for, and how the program names it; not at all where the instruction has
 * to tell the text.
 */
interface QuestionSource {
  data: JsonObject
  reference?: VariableReference
}

/**
 * Lists the questions about a place, in random order: texts of its variables and of what it has read, and one
 * that is given.
 */
export function* listQuestions(
  scope: TraceScope<SessionWorld>,
  items: readonly WorldSession[],
  rng: RandomSource,
): Generator<QueryQuestion, void, undefined> {
  const textsOf = items.map(({ data }) => texts(data))
  const sources: QuestionSource[] = [{ data: rng.pick(items).data }]
  for (const { name, data } of listUserSessions(scope))
    sources.push({ data, reference: createRef(name, 'data') })
  for (const { copy } of sampleMany(listKnownSessions(scope), 2, rng)) if (copy) sources.push(copy)
  for (const { data, reference } of rng.shuffle(sources)) {
    const others = reference ? listBesides(scope, reference) : []
    const choosing = texts(data).filter(
      (text) => isChoosing(text, textsOf) && !others.some((one) => hasQueryText(one, text)),
    )
    for (const text of sampleMany(selectBest(choosing, textsOf[0] ?? []), 2, rng)) {
      const matches = items.filter((_, place) => hasText(textsOf[place] as readonly QueryText[], text))
      yield {
        text,
        matches,
        value: reference
          ? createRef(reference.variable, ...reference.path, ...text.path)
          : createLiteral(text.text),
      }
    }
  }
}

/** So many of a long list, each once: what `sample` does, without shuffling all of it. */
function sampleMany<T>(all: readonly T[], count: number, rng: RandomSource): T[] {
  if (all.length <= count) return [...all]
  const picks = new Set<T>()
  while (picks.size < count) picks.add(rng.pick(all))
  return [...picks]
}
