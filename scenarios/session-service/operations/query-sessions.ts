import type { Atom, Call, Json, JsonObject, Reference } from '@stateeval/contracts'
import { type Candidate, literal, type Operation, type Path, ref, type Rng, type Scope } from '@stateeval/program'
import { knownSessions, userSessions } from '../known.ts'
import { type Leaf, leaves } from '../leaves.ts'
import { fieldHas } from '../matches.ts'
import { querySessions as say } from '../say/query-sessions.ts'
import { answerWith, badType, collection, collectionState, isAnswer, refuse, type Session, type SessionWorld } from '../state.ts'

/** A text in a document that a query can ask for. A quote or backslash would break the service's own query text. */
interface Text {
  field: string
  text: string
  /** Field and text in one, for look-ups. */
  key: string
  path: Path
}

const known = new WeakMap<object, readonly Text[]>()

/** The texts of a document, also those inside lists. */
function texts(data: JsonObject): readonly Text[] {
  let found = known.get(data)
  if (!found) known.set(data, (found = leaves(data).flatMap(textsOf)))
  return found
}

const textsOf = ({ path, name, value }: Leaf): Text[] => {
  const items: [Json, Path][] = Array.isArray(value) ? value.map((item, index) => [item, [...path, index]]) : [[value, path]]
  return items.flatMap(([text, at]) =>
    typeof text === 'string' && !/["'\\]/.test(text) ? [{ field: `data.${name}`, text, key: `${name}=${text}`, path: at }] : [],
  )
}

interface Question {
  text: Text
  found: readonly Session[]
  value: Atom
}

/** The sessions that have a text, by its key. */
function byText(items: readonly Session[]): ReadonlyMap<string, readonly Session[]> {
  const there = new Map<string, Session[]>()
  for (const item of items)
    for (const { key } of texts(item.data)) {
      const found = there.get(key)
      if (!found) there.set(key, [item])
      else if (found.at(-1) !== item) found.push(item)
    }
  return there
}

/** What a program can ask for in a place: texts of its variables and of what it has read, else constants. */
function* questions(scope: Scope<SessionWorld>, items: readonly Session[], rng: Rng): Generator<Question, void, undefined> {
  const there = byText(items)
  const asking = (data: JsonObject, from: Reference) => {
    const found: { text: Text; from: Reference }[] = []
    for (const text of texts(data)) if (there.has(text.key)) found.push({ text, from })
    return found
  }
  const foundBy = ({ key }: Text) => there.get(key) ?? []
  const own = userSessions(scope).flatMap(({ name, data }) => asking(data, ref(name, 'data')))
  const read = rng.sample(knownSessions(scope), 2).flatMap(({ copy }) => (copy ? asking(copy.data, copy.reference) : []))
  for (const { text, from } of [...some(own, 4, rng), ...some(read, 2, rng)])
    yield { text, found: foundBy(text), value: ref(from.variable, ...from.path, ...text.path) }
  for (const text of some(texts(rng.pick(items).data), 2, rng)) yield { text, found: foundBy(text), value: literal(text.text) }
}

/** So many of a long list, each once: what `sample` does, without shuffling all of it. */
function some<T>(all: readonly T[], count: number, rng: Rng): T[] {
  if (all.length <= count) return [...all]
  const drawn = new Set<T>()
  while (drawn.size < count) drawn.add(rng.pick(all))
  return [...drawn]
}

/** Finds the sessions of a place that have a text in a field, or as an element of a list there. */
export const querySessions: Operation<SessionWorld> = {
  id: 'querySessions',
  *solve(scope, rng) {
    const before = scope.bindings.filter(({ api }) => api === 'querySessions')
    // The same question with the same answer, once more, asks for nothing.
    const isAsked = (field: string, found: readonly Session[]) =>
      before.some(({ call, value }) => {
        const asked = call?.args.field
        return asked?.kind === 'literal' && asked.value === field && isAnswer(value, found)
      })
    const users = rng.shuffle(userSessions(scope))
    for (const user of users) {
      if (users.find(({ source, type }) => source === user.source && type === user.type) !== user) continue
      const items = collection(scope.world, user.source, user.type)
      if (items.length === 0) continue
      for (const { text, found, value } of questions(scope, items, rng)) {
        if (before.length > 0 && isAsked(text.field, found)) continue
        yield question(user, text.field, value, [collectionState(user), ...found.map(({ id }) => id)])
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
    const found = collection(world, place.source, place.type).filter((item) => fieldHas(item, field, (value) => value === text))
    return answerWith(world, place, found)
  },
  gathers: { key: 'matches', path: [] },
  say,
}

function question(user: { name: string }, field: string, value: Atom, consumes: string[]): Candidate {
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
