import type { Atom, Call } from '@stateeval/contracts'
import { createLiteral, type ScenarioOperation, type PossibleCall, createRef } from '@stateeval/program'
import { listUserSessions } from '../known.ts'
import { hasFieldValue } from '@stateeval/world-model'
import { listQuestions } from '../questions.ts'
import { querySessions as say } from '../say/query-sessions.ts'
import {
  answerWithSessions,
  refuseBadType,
  listCollection,
  formatCollectionState,
  isAnswer,
  refuseSessionCall,
  type WorldSession,
  type SessionWorld,
} from '../state.ts'

/** Finds the sessions of a place that have a text in a field, or as an element of a list there. */
export const querySessions: ScenarioOperation<SessionWorld> = {
  id: 'querySessions',
  *solve(scope, rng) {
    const before = scope.bindings.filter(({ api }) => api === 'querySessions')
    // The same question with the same answer, once more, asks for nothing.
    const isAsked = (field: string, matches: readonly WorldSession[]) =>
      before.some(({ call, value }) => {
        const fieldArgument = call?.args.field
        return fieldArgument?.kind === 'literal' && fieldArgument.value === field && isAnswer(value, matches)
      })
    const users = rng.shuffle(listUserSessions(scope))
    for (const user of users) {
      if (users.find(({ source, type }) => source === user.source && type === user.type) !== user) continue
      const items = listCollection(scope.world, user.source, user.type)
      if (items.length === 0) continue
      for (const { text, matches, value } of listQuestions(scope, items, rng)) {
        if (before.length > 0 && isAsked(text.field, matches)) continue
        yield buildQuery(user, text.field, value, [
          formatCollectionState(user),
          ...matches.map(({ id }) => id),
        ])
      }
    }
  },
  apply(world, args) {
    const place = { source: String(args.source), type: String(args.type) }
    const bad = refuseBadType(place.type)
    if (bad) return bad
    if (args.field === undefined || args.value === undefined)
      return refuseSessionCall(400, 'field and value are needed')
    const field = String(args.field)
    if (field === '' || field.startsWith('$')) return refuseSessionCall(400, `bad field ${field}`)
    const text = String(args.value)
    const matches = listCollection(world, place.source, place.type).filter((item) =>
      hasFieldValue(item, field, (value) => value === text),
    )
    return answerWithSessions(world, place, matches)
  },
  gathers: { key: 'matches', path: [] },
  say,
}

function buildQuery(user: { name: string }, field: string, value: Atom, consumes: string[]): PossibleCall {
  const call: Call = {
    kind: 'http',
    api: 'querySessions',
    method: 'GET',
    path: '/api/sessions/{source}/{type}/query',
    query: ['field', 'value'],
    args: {
      source: createRef(user.name, 'source'),
      type: createRef(user.name, 'type'),
      field: createLiteral(field),
      value,
    },
  }
  return { call, consumes }
}
