import type { Call } from '@stateeval/contracts'
import { type ScenarioOperation, createRef } from '@stateeval/program'
import { listUserSessions } from '../known.ts'
import { listSessions as say } from '../say/list-sessions.ts'
import {
  answerWithSessions,
  refuseBadType,
  listCollection,
  formatCollectionState,
  isAnswer,
  type SessionWorld,
} from '../state.ts'

/**
 * Lists the sessions of one of the user's sources and types, where that says something that the program can't
 * know yet.
 */
export const listSessions: ScenarioOperation<SessionWorld> = {
  id: 'listSessions',
  *solve(scope, rng) {
    for (const user of rng.shuffle(listUserSessions(scope))) {
      const sessions = listCollection(scope.world, user.source, user.type)
      const emptied = scope.world.gone.some(
        ({ last }) => last.source === user.source && last.type === user.type,
      )
      if (sessions.length === 0 && !emptied) continue
      if (scope.bindings.some(({ api, value }) => api === 'listSessions' && isAnswer(value, sessions)))
        continue
      const call: Call = {
        kind: 'http',
        api: 'listSessions',
        method: 'GET',
        path: '/api/sessions/{source}/{type}',
        args: { source: createRef(user.name, 'source'), type: createRef(user.name, 'type') },
      }
      yield { call, consumes: [formatCollectionState(user), ...sessions.map(({ id }) => id)] }
    }
  },
  apply(world, args) {
    const place = { source: String(args.source), type: String(args.type) }
    const bad = refuseBadType(place.type)
    if (bad) return bad
    const sessions = listCollection(world, place.source, place.type)
    return answerWithSessions(world, place, sessions)
  },
  gathers: { key: 'listing', path: [] },
  say,
}
