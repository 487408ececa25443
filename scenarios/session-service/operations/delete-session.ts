import type { Call } from '@stateeval/contracts'
import type { ScenarioOperation } from '@stateeval/program'
import { listKnownSessions } from '../known.ts'
import { deleteSession as say } from '../say/delete-session.ts'
import { findAddressed, formatCollectionState, selectDraft, type SessionWorld } from '../state.ts'

/** Deletes a session that a call has made known. Every delete removes one: there are no dead ones. */
export const deleteSession: ScenarioOperation<SessionWorld> = {
  id: 'deleteSession',
  *solve(scope, rng) {
    for (const { item, source, type, id } of rng.shuffle(listKnownSessions(scope))) {
      if (scope.world.unread.some((write) => write.id === item.id)) continue
      const call: Call = {
        kind: 'http',
        api: 'deleteSession',
        method: 'DELETE',
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
    const next = {
      ...world,
      items: world.items.filter((other) => other !== item),
      gone: [...world.gone, { id: item.id, last: selectDraft(item) }],
    }
    return { ok: true, world: next, affects: [item.id, formatCollectionState(item)], reads: [item.id] }
  },
  say,
}
