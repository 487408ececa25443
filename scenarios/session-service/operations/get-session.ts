import type { Call } from '@stateeval/contracts'
import type { ScenarioOperation } from '@stateeval/program'
import { isDeepStrictEqual } from 'node:util'
import { listKnownSessions } from '../known.ts'
import { getSession as say } from '../say/get-session.ts'
import { findAddressed, enterRead, formatSessionAnswer, type SessionWorld } from '../state.ts'

/** Reads one session that a call has made known, where the program doesn't hold it as it is now. */
export const getSession: ScenarioOperation<SessionWorld> = {
  id: 'getSession',
  optIn: true,
  *solve(scope, rng) {
    for (const { item, source, type, id, copy } of rng.shuffle(listKnownSessions(scope))) {
      if (copy && isDeepStrictEqual(copy.data, item.data) && copy.reference.path.length === 1) continue
      const call: Call = {
        kind: 'http',
        api: 'getSession',
        method: 'GET',
        path: '/api/sessions/{source}/{type}/{id}',
        args: { source, type, id },
      }
      yield { call, consumes: [item.id] }
    }
  },
  apply(world, args) {
    const target = findAddressed(world, args)
    if (!target.ok) return target
    const { item } = target
    return {
      ok: true,
      world: enterRead(world, [item]),
      output: formatSessionAnswer(item),
      affects: [],
      reads: [item.id],
    }
  },
  gathers: { key: 'session', path: [] },
  say,
}
