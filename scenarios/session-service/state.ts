/** The state schema: what the session service holds, as an immutable value. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonValue, JsonObject, WorldState } from '@stateeval/contracts'
import type { CallTransition } from '@stateeval/program'
import { hasSameContent } from '@stateeval/world-model'
import { isSessionType, sessionTypes } from './types.ts'

export type WorldSession = {
  id: string
  source: string
  type: string
  data: JsonObject
}

/** An initial item or a user variable: a session that has no id yet. */
export type SessionDraft = Omit<WorldSession, 'id'>

export interface SessionWorld {
  /** In order of insertion, which is the order of every list. */
  items: readonly WorldSession[]
  /** Ids of the initial items, and those issued since. */
  initial: readonly string[]
  created: readonly string[]
  gone: readonly { id: string; last: SessionDraft }[]
  /**
   * Sessions that were written since they were last read, and how: to change or delete them now can make the
   * write pointless.
   */
  unread: readonly { id: string; by: 'add' | 'update' }[]
}

/** The world once these have been read. */
export function enterRead(world: SessionWorld, sessions: readonly WorldSession[]): SessionWorld {
  if (world.unread.length === 0) return world
  const unread = world.unread.filter((write) => !sessions.some(({ id }) => id === write.id))
  return unread.length === world.unread.length ? world : { ...world, unread }
}

export const selectDraft = ({ source, type, data }: SessionDraft): SessionDraft => ({ source, type, data })

/** The world with its initial items; ids are the model's own, the real service issues others. */
export function openWorld(initial: { items: readonly SessionDraft[] }): SessionWorld {
  const items = initial.items.map(({ source, type, data }, index) => ({
    id: `initial-${index}`,
    source,
    type,
    data,
  }))
  return { items, initial: items.map(({ id }) => id), created: [], gone: [], unread: [] }
}

/** Shares all with the world, which is never changed in place. */
export const observeWorld = ({ items, initial, created, gone }: SessionWorld): WorldState =>
  ({ state: { items }, ids: { initial, created }, gone }) as WorldState

/** The sessions of a source and type, oldest first. */
export function listCollection({ items }: SessionWorld, source: unknown, type: unknown): WorldSession[] {
  const sessions: WorldSession[] = []
  for (const item of items) if (item.source === source && item.type === type) sessions.push(item)
  return sessions
}

/** The name of a collection as a state that calls change and consume. */
export const formatCollectionState = ({ source, type }: { source: string; type: string }) =>
  `${source}/${type}`

export function findSession({ items }: SessionWorld, id: string): WorldSession | undefined {
  for (const item of items) if (item.id === id) return item
  return undefined
}

export const find = (
  world: SessionWorld,
  { source, type, id }: { source: string; type: string; id: string },
) => world.items.find((item) => item.id === id && item.source === source && item.type === type)

/** The session of the same source, type and content, if any; the service holds no two of them. */
export function findDuplicate(
  { items }: SessionWorld,
  { source, type, data }: SessionDraft,
  except?: string,
): WorldSession | undefined {
  for (const item of items)
    if (item.source === source && item.type === type && item.id !== except && hasSameContent(item.data, data))
      return item
  return undefined
}

/** A session as the service answers it. */
export const formatSessionAnswer = ({ id, data, source, type }: WorldSession): JsonObject => ({
  id,
  data,
  source,
  type,
})

/**
 * Tells whether a value is what the service answers for these sessions. Most data is the very object of an
 * earlier answer.
 */
export const isAnswer = (value: JsonValue, sessions: readonly WorldSession[]): boolean =>
  Array.isArray(value) &&
  value.length === sessions.length &&
  sessions.every(({ id, data, source, type }, index) => {
    const other = value[index] as WorldSession
    const alike = other.id === id && other.source === source && other.type === type
    return alike && (other.data === data || isDeepStrictEqual(other.data, data))
  })

/** Builds the transition after reading these sessions of a place. */
export const answerWithSessions = (
  world: SessionWorld,
  place: { source: string; type: string },
  sessions: readonly WorldSession[],
): CallTransition<SessionWorld> => ({
  ok: true,
  world: enterRead(world, sessions),
  output: sessions.map(formatSessionAnswer),
  affects: [],
  reads: [formatCollectionState(place), ...sessions.map(({ id }) => id)],
})

type SessionRefusal = Extract<CallTransition<never>, { ok: false }>
export const refuseSessionCall = (status: number, message: string): SessionRefusal => ({
  ok: false,
  error: { status, message },
})
export const refuseNotFound = () => refuseSessionCall(404, 'Session not found')
export const refuseBadType = (type: string) =>
  isSessionType(type) ? null : refuseSessionCall(400, `valid types are: ${sessionTypes.join(', ')}`)

/** The session that the path of a call names, or how the service refuses it. */
export function findAddressed(
  world: SessionWorld,
  args: Readonly<Record<string, unknown>>,
): { ok: true; item: WorldSession } | SessionRefusal {
  const key = { source: String(args['source']), type: String(args['type']), id: String(args['id']) }
  const bad = refuseBadType(key.type)
  if (bad) return bad
  const item = find(world, key)
  return item ? { ok: true, item } : refuseNotFound()
}

/** Builds the refusal of a missing body, or of one that is no document; null where the body is a document. */
export function refuseBadBody(data: unknown): SessionRefusal | null {
  if (data === undefined) return refuseSessionCall(400, 'the body is missing')
  if (data === null || typeof data !== 'object' || Array.isArray(data))
    return refuseSessionCall(500, 'the body is not a JSON object')
  return null
}
