/** Which sessions a program can name: ids are known by calls only, never as constants. */
import type { JsonObject, VariableReference } from '@stateeval/contracts'
import { type Binding, type Path, ref, memoized, type Scope } from '@stateeval/program'
import { type Session, type SessionWorld, sessionById } from './state.ts'

/** A session as a call has named it. */
interface Named {
  /** Key of the session: a value of the model. */
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
export interface Known extends Named {
  /** The session as it is in the world now. */
  item: Session
}

const asSession = (value: unknown) =>
  value !== null && typeof value === 'object' && 'id' in value && 'data' in value ? (value as Session) : null

function namesIn(binding: Binding): Named[] {
  const namedAt = (value: unknown, path: Path): Named[] => {
    const session = asSession(value)
    if (!session) return []
    const part = (key: string) => ref(binding.name, ...path, key)
    const copy = { reference: part('data'), data: session.data }
    return [{ key: session.id, id: part('id'), source: part('source'), type: part('type'), copy }]
  }
  if (Array.isArray(binding.value)) return binding.value.flatMap((value, index) => namedAt(value, [index]))
  if (asSession(binding.value)) return namedAt(binding.value, [])
  // The answer to an add holds the id only: source and type are those of what was added.
  const key = (binding.value as { id?: string } | null)?.id
  const { source, type } = binding.call?.args ?? {}
  if (key === undefined || source?.kind !== 'reference' || type?.kind !== 'reference') return []
  return [{ key, id: ref(binding.name, 'id'), source, type }]
}

/** Cached by the value: a binding has copies, as it is used, and every call answers with a value of its own. */
const namesOf = memoized((_: object, binding: Binding): readonly Named[] => namesIn(binding))

/**
 * The answer to the newest question: one step asks several times. Weak tables of all answers keep the garbage
 * collector busy.
 */
let newest:
  | { of: Scope<SessionWorld>['bindings']; world: SessionWorld; sessions: readonly Known[] }
  | undefined

/**
 * The live sessions that calls have made known, each by the newest output that names it and, where that is
 * another, by the oldest: what was read in between can then be an output of its own.
 */
export function knownSessions({ bindings, world }: Scope<SessionWorld>): readonly Known[] {
  if (newest?.of === bindings && newest.world === world) return newest.sessions
  const first: Known[] = []
  const last: (Known | undefined)[] = []
  for (const binding of bindings) {
    if (!binding.api) continue
    for (const { key, id, source, type, copy } of namesOf(binding.value as object, binding)) {
      const item = sessionById(world, key)
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
  const sessions: Known[] = []
  for (let place = 0; place < first.length; place++) {
    sessions.push(first[place] as Known)
    const other = last[place]
    if (other) sessions.push(other)
  }
  newest = { of: bindings, world, sessions }
  return sessions
}

type UserSession = { name: string } & Omit<Session, 'id'>
let newestUsers: { of: Scope<SessionWorld>['bindings']; all: readonly UserSession[] } | undefined

/** The user's own sessions: variables of the initialisation block. */
export function userSessions({ bindings }: Scope<SessionWorld>): readonly UserSession[] {
  if (newestUsers?.of === bindings) return newestUsers.all
  const all: UserSession[] = []
  for (const { name, api, value } of bindings) {
    if (api || value === null || typeof value !== 'object' || !('data' in value)) continue
    const { source, type, data } = value as Session
    all.push({ name, source, type, data })
  }
  newestUsers = { of: bindings, all }
  return all
}
