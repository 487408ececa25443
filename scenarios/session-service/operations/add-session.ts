import type { Call, JsonObject, VariableReference } from '@stateeval/contracts'
import { type PossibleCall, type ScenarioOperation, createRef } from '@stateeval/program'
import { hasSameContent } from '@stateeval/world-model'
import { listKnownSessions, listUserSessions } from '../known.ts'
import { addSession as say } from '../say/add-session.ts'
import {
  refuseBadBody,
  refuseBadType,
  formatCollectionState,
  type SessionDraft,
  findDuplicate,
  refuseSessionCall,
  type SessionWorld,
} from '../state.ts'

/**
 * Adds one of the user's sessions, or an edited copy of a stored one. Content that the source and type hold
 * already isn't stored again: the answer is the id of the session that has it.
 */
export const addSession: ScenarioOperation<SessionWorld> = {
  id: 'addSession',
  sendsObjects: true,
  *solve(scope, rng) {
    const { world } = scope
    const add = (
      draft: SessionDraft,
      from: { source: VariableReference; type: VariableReference; data: VariableReference },
    ): PossibleCall => {
      const call: Call = {
        kind: 'http',
        api: 'addSession',
        method: 'POST',
        path: '/api/sessions/{source}/{type}',
        body: 'data',
        args: from,
      }
      const double = findDuplicate(world, draft)
      return { call, consumes: [formatCollectionState(draft), ...(double ? [double.id] : [])] }
    }
    for (const one of rng.shuffle([...listUserSessions(scope), ...listKnownSessions(scope)])) {
      if ('name' in one) {
        const double = findDuplicate(world, one)
        // Adding again what the program itself has added asks for nothing; what was there before is worth a
        // rare call.
        if (double && (world.created.includes(double.id) || !rng.chance(0.2))) continue
        yield add(one, {
          source: createRef(one.name, 'source'),
          type: createRef(one.name, 'type'),
          data: createRef(one.name, 'data'),
        })
        continue
      }
      const { item, source, type, copy } = one
      if (!copy || hasSameContent(copy.data, item.data)) continue
      const draft = { source: item.source, type: item.type, data: copy.data }
      if (!findDuplicate(world, draft)) yield add(draft, { source, type, data: copy.reference })
    }
  },
  apply(world, args) {
    const [source, type] = [String(args.source), String(args.type)]
    const bad = refuseBadType(type) ?? refuseBadBody(args.data)
    if (bad) return bad
    if (source.length < 3) return refuseSessionCall(400, 'source has a minimum length of 3;')
    const draft: SessionDraft = { source, type, data: args.data as JsonObject }
    const place = formatCollectionState(draft)
    const double = findDuplicate(world, draft)
    if (double) return { ok: true, world, output: { id: double.id }, affects: [], reads: [place, double.id] }
    const id = `created-${world.created.length}`
    const next = {
      ...world,
      items: [...world.items, { id, ...draft }],
      created: [...world.created, id],
      unread: [...world.unread, { id, by: 'add' as const }],
    }
    return { ok: true, world: next, output: { id }, affects: [place, id], reads: [place] }
  },
  gathers: { key: 'added', path: ['id'] },
  say,
}
