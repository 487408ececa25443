/** Which sessions a program can name: ids are known by calls only, never as constants. */
import type { JsonObject, Reference } from '@stateeval/contracts'
import { type Binding, type Path, ref, type Scope } from '@stateeval/program'
import type { Session, SessionWorld } from './state.ts'

export interface Known {
  /** The session as it is in the world now. */
  item: Session
  id: Reference
  source: Reference
  type: Reference
  /** The program's own copy of its data, where a call answered it: edited since, or no longer what the world holds. */
  copy?: { reference: Reference; data: JsonObject }
}

const asSession = (value: unknown) =>
  value !== null && typeof value === 'object' && 'id' in value && 'data' in value ? (value as unknown as Session) : null

function knownOf(binding: Binding, world: SessionWorld): Known[] {
  const live = (id: unknown) => world.items.find((item) => item.id === id)
  const named = (value: unknown, path: Path): Known[] => {
    const session = asSession(value)
    const item = session && live(session.id)
    if (!session || !item) return []
    const part = (key: string) => ref(binding.name, ...path, key)
    return [{ item, id: part('id'), source: part('source'), type: part('type'), copy: { reference: part('data'), data: session.data } }]
  }
  if (Array.isArray(binding.value)) return binding.value.flatMap((value, index) => named(value, [index]))
  if (asSession(binding.value)) return named(binding.value, [])
  // The answer to an add holds the id only: source and type are those of what was added.
  const item = live((binding.value as { id?: string } | null)?.id)
  const { source, type } = binding.call?.args ?? {}
  if (!item || source?.kind !== 'reference' || type?.kind !== 'reference') return []
  return [{ item, id: ref(binding.name, 'id'), source, type }]
}

/**
 * The live sessions that calls have made known, each by the newest output that names it and, where that is another, by
 * the oldest: what was read in between can then be an output of its own.
 */
export function knownSessions({ bindings, world }: Scope<SessionWorld>): Known[] {
  const known = new Map<string, Known[]>()
  for (const binding of bindings) {
    if (!binding.api) continue
    for (const session of knownOf(binding, world)) {
      const [oldest] = known.get(session.item.id) ?? []
      known.set(session.item.id, oldest ? [oldest, session] : [session])
    }
  }
  return [...known.values()].flat()
}

/** The user's own sessions: variables of the initialisation block. */
export const userSessions = ({ bindings }: Scope<SessionWorld>) =>
  bindings
    .filter(({ api, value }) => !api && value !== null && typeof value === 'object' && 'data' in value)
    .map((binding) => ({ name: binding.name, ...(binding.value as unknown as Omit<Session, 'id'>) }))
