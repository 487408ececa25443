/** Which sessions a program can name: ids are known by calls only, never as constants. */
import type { JsonObject, VariableReference } from '@stateeval/contracts'
import { type ScopeBinding, type ValuePath, createRef, memoize, type TraceScope } from '@stateeval/program'
import { type WorldSession, type SessionWorld, findSession } from './state.ts'

/** A session as a call has named it. */
interface NamedSession {
  /** Key of a known session: a value of the state machine. */
  key: string
  id: VariableReference
  source: VariableReference
  type: VariableReference
  /**
   * The program's own copy of its data, where a call answered it: edited since, or no longer what the world
   * holds.
   */
  copy?: { reference: VariableReference; data: JsonObject }
}
export interface KnownSession extends NamedSession {
  /** The session as it is in the world now. */
  item: WorldSession
}

const toSessionValue = (value: unknown) =>
  value !== null && typeof value === 'object' && 'id' in value && 'data' in value
    ? (value as WorldSession)
    : null

function listNamedSessions(binding: ScopeBinding): NamedSession[] {
  const namedAt = (value: unknown, path: ValuePath): NamedSession[] => {
    const session = toSessionValue(value)
    if (!session) return []
    const part = (key: string) => createRef(binding.name, ...path, key)
    const copy = { reference: part('data'), data: session.data }
    return [{ key: session.id, id: part('id'), source: part('source'), type: part('type'), copy }]
  }
  if (Array.isArray(binding.value)) return binding.value.flatMap((value, index) => namedAt(value, [index]))
  if (toSessionValue(binding.value)) return namedAt(binding.value, [])
  // The answer to an add holds the id only: source and type are those of what was added.
  const key = (binding.value as { id?: string } | null)?.id
  const { source, type } = binding.call?.args ?? {}
  if (key === undefined || source?.kind !== 'reference' || type?.kind !== 'reference') return []
  return [{ key, id: createRef(binding.name, 'id'), source, type }]
}

/** Caches names by value: bindings are copied when used, and every call answers with its own value. */
const namesOf = memoize((_: object, binding: ScopeBinding): readonly NamedSession[] =>
  listNamedSessions(binding),
)

/**
 * The answer to the newest question: one step asks several times. Weak tables of all answers keep the garbage
 * collector busy.
 */
let newest:
  | { of: TraceScope<SessionWorld>['bindings']; world: SessionWorld; sessions: readonly KnownSession[] }
  | undefined

/**
 * The live sessions that calls have made known, each by the newest output that names it and, where that is
 * another, by the oldest: what was read in between can then be an output of its own.
 */
export function listKnownSessions({ bindings, world }: TraceScope<SessionWorld>): readonly KnownSession[] {
  if (newest?.of === bindings && newest.world === world) return newest.sessions
  const first: KnownSession[] = []
  const last: (KnownSession | undefined)[] = []
  for (const binding of bindings) {
    if (!binding.api) continue
    for (const { key, id, source, type, copy } of namesOf(binding.value as object, binding)) {
      const item = findSession(world, key)
      if (!item) continue
      const entry = { key, id, source, type, copy, item }
      let place = 0
      while (place < first.length && first[place]?.key !== key) place++
      if (place < first.length) last[place] = entry
      else {
        first.push(entry)
        last.push(undefined)
      }
    }
  }
  const sessions: KnownSession[] = []
  for (let place = 0; place < first.length; place++) {
    sessions.push(first[place] as KnownSession)
    const other = last[place]
    if (other) sessions.push(other)
  }
  newest = { of: bindings, world, sessions }
  return sessions
}

type UserSession = { name: string } & Omit<WorldSession, 'id'>
let newestUsers: { of: TraceScope<SessionWorld>['bindings']; all: readonly UserSession[] } | undefined

/** The user's own sessions: variables of the initialisation block. */
export function listUserSessions({ bindings }: TraceScope<SessionWorld>): readonly UserSession[] {
  if (newestUsers?.of === bindings) return newestUsers.all
  const all: UserSession[] = []
  for (const { name, api, value } of bindings) {
    if (api || value === null || typeof value !== 'object' || !('data' in value)) continue
    const { source, type, data } = value as WorldSession
    all.push({ name, source, type, data })
  }
  newestUsers = { of: bindings, all }
  return all
}
