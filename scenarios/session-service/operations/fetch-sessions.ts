import type { Call, JsonValue, JsonObject } from '@stateeval/contracts'
import { createLiteral, type ScenarioOperation, createRef, type RandomSource } from '@stateeval/program'
import { listUserSessions } from '../known.ts'
import { leaves } from '../leaves.ts'
import { isPassing } from '@stateeval/world-model'
import { fetchSessions as say } from '../say/fetch-sessions.ts'
import {
  answerWithSessions,
  refuseBadBody,
  refuseBadType,
  listCollection,
  formatCollectionState,
  refuseSessionCall,
  type WorldSession,
  type SessionWorld,
} from '../state.ts'

/** A filter that at least the session passes: a value, or a bound on a number. */
function listFilters(session: WorldSession, rng: RandomSource): JsonObject[] {
  const scalars = leaves(session.data).filter(({ value }) => !Array.isArray(value))
  return rng.sample(scalars, 3).map(({ name, value }) => {
    const condition: JsonValue =
      typeof value === 'number' && rng.chance(0.7) ? { [rng.pick(['$gte', '$lte'])]: value } : value
    return { [`data.${name}`]: condition }
  })
}

/** Finds the sessions of a place that pass a filter of MongoDB's. */
export const fetchSessions: ScenarioOperation<SessionWorld> = {
  id: 'fetchSessions',
  optIn: true,
  *solve(scope, rng) {
    for (const user of rng.shuffle(listUserSessions(scope))) {
      const items = listCollection(scope.world, user.source, user.type)
      if (items.length === 0) continue
      for (const filter of listFilters(rng.pick(items), rng)) {
        const matches = items.filter((item) => isPassing(item, filter))
        if (matches.length < 2 || matches.length === items.length) continue
        const call: Call = {
          kind: 'http',
          api: 'fetchSessions',
          method: 'POST',
          path: '/api/sessions/{source}/{type}/query/fetch',
          body: 'filter',
          args: {
            source: createRef(user.name, 'source'),
            type: createRef(user.name, 'type'),
            filter: createLiteral(filter),
          },
        }
        yield { call, consumes: [formatCollectionState(user), ...matches.map(({ id }) => id)] }
      }
    }
  },
  apply(world, args) {
    const place = { source: String(args.source), type: String(args.type) }
    const bad = refuseBadType(place.type)
    if (bad) return bad
    if (refuseBadBody(args.filter)) return refuseSessionCall(400, 'the filter is not a JSON object')
    const matches: WorldSession[] = []
    for (const item of listCollection(world, place.source, place.type)) {
      const fits = isPassing(item, args.filter as JsonObject)
      if (fits === null) return refuseSessionCall(400, 'unknown operator')
      if (fits) matches.push(item)
    }
    return answerWithSessions(world, place, matches)
  },
  gathers: { key: 'fetched', path: [] },
  say,
}
