import type { Call, JsonObject, VariableReference } from '@stateeval/contracts'
import { type PossibleCall, type ScenarioOperation, createRef } from '@stateeval/program'
import { hasSameContent } from '@stateeval/world-model'
import { type KnownSession, listKnownSessions, listUserSessions } from '../known.ts'
import { updateSession as say } from '../say/update-session.ts'
import {
  refuseBadBody,
  refuseBadType,
  formatCollectionState,
  findDuplicate,
  find,
  refuseNotFound,
  refuseSessionCall,
  type SessionWorld,
} from '../state.ts'

/** Replaces the data of a session that a call has made known: by a user's data, or by its own, edited. */
export const updateSession: ScenarioOperation<SessionWorld> = {
  id: 'updateSession',
  sendsObjects: true,
  *solve(scope, rng) {
    const { world } = scope
    const users = listUserSessions(scope)
    const fits = ({ item }: KnownSession, data: JsonObject) =>
      !hasSameContent(data, item.data) &&
      !findDuplicate(world, { source: item.source, type: item.type, data })
    for (const session of rng.shuffle(listKnownSessions(scope))) {
      if (world.unread.some(({ id, by }) => id === session.item.id && by === 'update')) continue
      // Data of another kind is a last resort: nobody writes a chart into a gene list.
      const same = users.filter(({ type }) => type === session.item.type)
      const choices = (same.length ? same : users).map(({ name, data }) => ({
        reference: createRef(name, 'data'),
        data,
      }))
      if (session.copy) choices.push(session.copy)
      for (const { reference, data } of rng.shuffle(choices))
        if (fits(session, data)) yield update(session, reference)
    }
  },
  apply(world, args) {
    const key = { source: String(args.source), type: String(args.type), id: String(args.id) }
    const badPlace = refuseBadType(key.type)
    if (badPlace) return badPlace
    const item = find(world, key)
    if (!item)
      return args.data === undefined ? refuseSessionCall(400, 'the body is missing') : refuseNotFound()
    const bad = refuseBadBody(args.data)
    if (bad) return bad
    const changed = { ...item, data: args.data as JsonObject }
    if (findDuplicate(world, changed, item.id))
      return refuseSessionCall(500, 'another session of this source and type has this content')
    const next = {
      ...world,
      items: world.items.map((other) => (other === item ? changed : other)),
      unread: [...world.unread, { id: item.id, by: 'update' as const }],
    }
    return { ok: true, world: next, affects: [item.id, formatCollectionState(key)], reads: [item.id] }
  },
  say,
}

function update({ item, id, source, type }: KnownSession, data: VariableReference): PossibleCall {
  const call: Call = {
    kind: 'http',
    api: 'updateSession',
    method: 'PUT',
    path: '/api/sessions/{source}/{type}/{id}',
    body: 'data',
    args: { source, type, id, data },
  }
  return { call, consumes: [item.id] }
}
