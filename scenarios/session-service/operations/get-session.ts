import type { Call } from '@stateeval/contracts'
import type { Operation } from '@stateeval/program'
import { isDeepStrictEqual } from 'node:util'
import { knownSessions } from '../known.ts'
import { getSession as say } from '../say/get-session.ts'
import { afterReading, answer, badType, find, notFound, type SessionWorld } from '../state.ts'

/** Reads one session that a call has made known, where the program doesn't hold it as it is now. */
export const getSession: Operation<SessionWorld> = {
  id: 'getSession',
  optIn: true,
  *solve(scope) {
    for (const { item, source, type, id, copy } of knownSessions(scope)) {
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
    const key = { source: String(args.source), type: String(args.type), id: String(args.id) }
    const bad = badType(key.type)
    if (bad) return bad
    const item = find(world, key)
    return item ? { ok: true, world: afterReading(world, [item]), output: answer(item), affects: [], reads: [item.id] } : notFound()
  },
  gathers: { key: 'session', path: [] },
  say,
}
