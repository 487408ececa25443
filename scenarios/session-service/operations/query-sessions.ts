import type { Atom, Call } from '@stateeval/contracts'
import { literal, type Operation, type PossibleCall, ref } from '@stateeval/program'
import { userSessions } from '../known.ts'
import { fieldHas } from '../matches.ts'
import { questions } from '../questions.ts'
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
