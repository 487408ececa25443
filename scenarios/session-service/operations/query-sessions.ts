import type { Atom, Call, Json, JsonObject, Reference } from '@stateeval/contracts'
import { type Candidate, literal, type Operation, type Path, ref, type Rng, type Scope } from '@stateeval/program'
import { knownSessions, userSessions } from '../known.ts'
import { type Leaf, leaves } from '../leaves.ts'
import { fieldHas } from '../matches.ts'
import { querySessions as say } from '../say/query-sessions.ts'
import { answer, answerWith, badType, collection, collectionState, refuse, type Session, type SessionWorld } from '../state.ts'

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

/** What a program can ask for in a place: texts of its variables and of what it has read, else constants. */
function questions(scope: Scope<SessionWorld>, items: readonly Session[], rng: Rng): Question[] {
  const there = new Map<string, Session[]>()
  for (const item of items)
    for (const key of new Set(texts(item.data).map((text) => text.key))) there.set(key, [...(there.get(key) ?? []), item])
  const asking = (data: JsonObject, from: Reference): Question[] =>
    texts(data)
      .filter(({ key }) => there.has(key))
      .map((text) => ({ text, found: there.get(text.key) ?? [], value: ref(from.variable, ...from.path, ...text.path) }))
  const own = userSessions(scope).flatMap(({ name, data }) => asking(data, ref(name, 'data')))
  const read = rng.sample(knownSessions(scope), 2).flatMap(({ copy }) => (copy ? asking(copy.data, copy.reference) : []))
  const plain = texts(rng.pick(items).data).map((text) => ({ text, found: there.get(text.key) ?? [], value: literal(text.text) }))
  return [...rng.sample(own, 4), ...rng.sample(read, 2), ...rng.sample(plain, 2)]
}

/** Finds the sessions of a place that have a text in a field, or as an element of a list there. */
export const querySessions: Operation<SessionWorld> = {
  id: 'querySessions',
  *solve(scope, rng) {
    const asked = new Set(
      scope.bindings.filter(({ api }) => api === 'querySessions').map(({ call, value }) => JSON.stringify([call?.args.field, value])),
    )
    const places = rng.shuffle(userSessions(scope)).filter(({ source, type }, index, all) => {
      return all.findIndex((other) => other.source === source && other.type === type) === index
    })
    for (const user of places) {
      const items = collection(scope.world, user.source, user.type)
      if (items.length === 0) continue
      for (const { text, found, value } of questions(scope, items, rng)) {
        // The same question with the same answer, once more, asks for nothing.
        if (asked.size && asked.has(JSON.stringify([literal(text.field), found.map(answer)]))) continue
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
