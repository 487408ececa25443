import type { Atom, Call, Json } from '@stateeval/contracts'
import { type Candidate, literal, type Operation, ref, type Rng, type Scope } from '@stateeval/program'
import { knownSessions, userSessions } from '../known.ts'
import { leaves } from '../leaves.ts'
import { fieldHas } from '../matches.ts'
import { querySessions as say } from '../say/query-sessions.ts'
import { afterReading, answer, badType, collection, collectionState, refuse, type Session, type SessionWorld } from '../state.ts'

/** A text that a program can write or refer to. A quote or backslash would break the service's own query text. */
interface Text {
  field: string
  text: string
  from?: Atom
}

const texts = (data: Json, from?: { variable: string; path: readonly (string | number)[] }): Text[] =>
  leaves(data).flatMap(({ path, value }) => {
    const field = ['data', ...path].join('.')
    const items = Array.isArray(value) ? value.map((item, index) => [item, [...path, index]] as const) : [[value, path] as const]
    return items
      .filter(([text]) => typeof text === 'string' && !/["'\\]/.test(text))
      .map(([text, at]) => ({ field, text: text as string, ...(from ? { from: ref(from.variable, ...from.path, ...at) } : {}) }))
  })

const hits = (items: readonly Session[], field: string, text: string) =>
  items.filter((item) => fieldHas(item, field, (value) => value === text))

/** What a program can ask for in a place: texts of its variables and of what it has read, else constants. */
function* questions(scope: Scope<SessionWorld>, items: readonly Session[], rng: Rng): Iterable<Text & { from: Atom }> {
  const own = userSessions(scope).flatMap(({ name, data }) => texts(data, { variable: name, path: ['data'] }))
  const read = knownSessions(scope).flatMap(({ copy }) => (copy ? texts(copy.data, copy.reference) : []))
  const find = (all: readonly Text[]) => rng.shuffle(all.filter(({ field, text }) => hits(items, field, text).length > 0))
  yield* find(own).slice(0, 4) as (Text & { from: Atom })[]
  yield* find(read).slice(0, 2) as (Text & { from: Atom })[]
  for (const { field, text } of find(texts(rng.pick(items).data)).slice(0, 2)) yield { field, text, from: literal(text) }
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
      for (const { field, text, from } of questions(scope, items, rng)) {
        const found = hits(items, field, text)
        // The same question with the same answer, once more, asks for nothing.
        if (asked.has(JSON.stringify([literal(field), found.map(answer)]))) continue
        yield question(user, field, from, [collectionState(user), ...found.map(({ id }) => id)])
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
    const found = hits(collection(world, place.source, place.type), field, String(args.value))
    return {
      ok: true,
      world: afterReading(world, found),
      output: found.map(answer),
      affects: [],
      reads: [collectionState(place), ...found.map(({ id }) => id)],
    }
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
