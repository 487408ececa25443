import type { Atom, Call, Json, JsonObject, Reference } from '@stateeval/contracts'
import { type Candidate, literal, type Operation, type Path, ref, remembered, type Rng, type Scope } from '@stateeval/program'
import { knownSessions, userSessions } from '../known.ts'
import { leaves } from '../leaves.ts'
import { fieldHas } from '../matches.ts'
import { querySessions as say } from '../say/query-sessions.ts'
import { answerWith, badType, collection, collectionState, isAnswer, refuse, type Session, type SessionWorld } from '../state.ts'

/** A text in a document that a query can ask for. A quote or backslash would break the service's own query text. */
interface Text {
  field: string
  text: string
  path: Path
}

/** The texts of a document, also those inside lists. */
const texts = remembered((data: JsonObject): readonly Text[] => {
  const found: Text[] = []
  const add = (field: string, text: Json, path: Path) => {
    if (typeof text === 'string' && !/["'\\]/.test(text)) found.push({ field, text, path })
  }
  for (const { field, path, value } of leaves(data))
    if (Array.isArray(value)) value.forEach((item, index) => add(field, item, [...path, index]))
    else add(field, value, path)
  return found
})

interface Question {
  text: Text
  found: readonly Session[]
  value: Atom
}

function hasText(texts: readonly Text[], { text, field }: Text): boolean {
  for (const other of texts) if (other.text === text && other.field === field) return true
  return false
}

/** What a program can ask for in a place: texts of its variables and of what it has read, else constants. */
function questions(scope: Scope<SessionWorld>, items: readonly Session[], rng: Rng): Question[] {
  const stored = items.map(({ data }) => texts(data))
  const asking = (data: JsonObject, from: Reference, all: { text: Text; from: Reference }[]) => {
    for (const text of texts(data)) if (stored.some((one) => hasText(one, text))) all.push({ text, from })
  }
  const own: { text: Text; from: Reference }[] = []
  for (const { name, data } of userSessions(scope)) asking(data, ref(name, 'data'), own)
  const read: { text: Text; from: Reference }[] = []
  for (const { copy } of rng.sample(knownSessions(scope), 2)) if (copy) asking(copy.data, copy.reference, read)
  const question = (text: Text, value: Atom): Question => ({
    text,
    found: items.filter((_, at) => hasText(stored[at] as readonly Text[], text)),
    value,
  })
  return [
    ...some(own, 4, rng).map(({ text, from }) => question(text, ref(from.variable, ...from.path, ...text.path))),
    ...some(read, 2, rng).map(({ text, from }) => question(text, ref(from.variable, ...from.path, ...text.path))),
    ...some(texts(rng.pick(items).data), 2, rng).map((text) => question(text, literal(text.text))),
  ]
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
