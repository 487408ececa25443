import type { Atom, Call, Json, JsonObject, Reference } from '@stateeval/contracts'
import {
  type PossibleCall,
  literal,
  type Operation,
  type Path,
  ref,
  memoized,
  type Rng,
  type Scope,
} from '@stateeval/program'
import { knownSessions, userSessions } from '../known.ts'
import { leaves } from '../leaves.ts'
import { fieldHas } from '../matches.ts'
import { querySessions as say } from '../say/query-sessions.ts'
import {
  answerWith,
  badType,
  collection,
  collectionState,
  isAnswer,
  refuse,
  type Session,
  type SessionWorld,
} from '../state.ts'

/** A text in a document that a query can ask for. A quote or backslash would break the service's own query text. */
interface Text {
  field: string
  text: string
  path: Path
}

/** The texts of a document, also those inside lists. */
const texts = memoized((data: JsonObject): readonly Text[] => {
  const all: Text[] = []
  const add = (field: string, text: Json, path: Path) => {
    if (typeof text === 'string' && !/["'\\]/.test(text)) all.push({ field, text, path })
  }
  for (const { field, path, value } of leaves(data))
    if (Array.isArray(value)) value.forEach((item, index) => add(field, item, [...path, index]))
    else add(field, value, path)
  return all
})

interface Question {
  text: Text
  matches: readonly Session[]
  value: Atom
}

function hasText(texts: readonly Text[], { text, field }: Text): boolean {
  for (const other of texts) if (other.text === text && other.field === field) return true
  return false
}

/** A document whose texts can be asked for, and how the program names it; not at all where the instruction has to tell the text. */
interface Source {
  data: JsonObject
  reference?: Reference
}

/** What a program can ask for in a place, in random order: texts of its variables and of what it has read, and one that it is told. */
function* questions(
  scope: Scope<SessionWorld>,
  items: readonly Session[],
  rng: Rng,
): Generator<Question, void, undefined> {
  const textsOf = items.map(({ data }) => texts(data))
  const sources: Source[] = [{ data: rng.pick(items).data }]
  for (const { name, data } of userSessions(scope)) sources.push({ data, reference: ref(name, 'data') })
  for (const { copy } of some(knownSessions(scope), 2, rng)) if (copy) sources.push(copy)
  for (const { data, reference } of rng.shuffle(sources)) {
    const shared = texts(data).filter((text) => textsOf.some((one) => hasText(one, text)))
    for (const text of some(shared, 2, rng)) {
      const matches = items.filter((_, at) => hasText(textsOf[at] as readonly Text[], text))
      yield {
        text,
        matches,
        value: reference ? ref(reference.variable, ...reference.path, ...text.path) : literal(text.text),
      }
    }
  }
}

/** So many of a long list, each once: what `sample` does, without shuffling all of it. */
function some<T>(all: readonly T[], count: number, rng: Rng): T[] {
  if (all.length <= count) return [...all]
  const picks = new Set<T>()
  while (picks.size < count) picks.add(rng.pick(all))
  return [...picks]
}

/** Finds the sessions of a place that have a text in a field, or as an element of a list there. */
export const querySessions: Operation<SessionWorld> = {
  id: 'querySessions',
  *solve(scope, rng) {
    const before = scope.bindings.filter(({ api }) => api === 'querySessions')
    // The same question with the same answer, once more, asks for nothing.
    const isAsked = (field: string, matches: readonly Session[]) =>
      before.some(({ call, value }) => {
        const fieldArgument = call?.args.field
        return fieldArgument?.kind === 'literal' && fieldArgument.value === field && isAnswer(value, matches)
      })
    const users = rng.shuffle(userSessions(scope))
    for (const user of users) {
      if (users.find(({ source, type }) => source === user.source && type === user.type) !== user) continue
      const items = collection(scope.world, user.source, user.type)
      if (items.length === 0) continue
      for (const { text, matches, value } of questions(scope, items, rng)) {
        if (before.length > 0 && isAsked(text.field, matches)) continue
        yield question(user, text.field, value, [collectionState(user), ...matches.map(({ id }) => id)])
      }
    }
  },
  apply(world, args) {
    const place = { source: String(args.source), type: String(args.type) }
    const bad = badType(place.type)
    if (bad) return bad
    if (args.field === undefined || args.value === undefined) return refuse(400, 'field and value are needed')
    const field = String(args.field)
    if (field === '' || field.startsWith('$')) return refuse(400, `bad field ${field}`)
    const text = String(args.value)
    const matches = collection(world, place.source, place.type).filter((item) =>
      fieldHas(item, field, (value) => value === text),
    )
    return answerWith(world, place, matches)
  },
  gathers: { key: 'matches', path: [] },
  say,
}

function question(user: { name: string }, field: string, value: Atom, consumes: string[]): PossibleCall {
  const call: Call = {
    kind: 'http',
    api: 'querySessions',
    method: 'GET',
    path: '/api/sessions/{source}/{type}/query',
    query: ['field', 'value'],
    args: { source: ref(user.name, 'source'), type: ref(user.name, 'type'), field: literal(field), value },
  }
  return { call, consumes }
}
