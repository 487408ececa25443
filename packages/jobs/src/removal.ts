/**
 * Deletes evaluations and benchmarks with everything that belongs to them. The sweep finishes an
 * interrupted removal.
 */
import { type MongoStore, removeNamed, type PendingCleanup } from '@stateeval/service-kit'
import { isEnded } from './owner.ts'
import type { ChangeAnnouncer, OwnerStore } from './owners.ts'
import { removeSessions } from './sessions.ts'
import { listActiveIds, type RunningPlaces } from './places.ts'

/** The stores that contain remains of owners. */
export interface RemovalParts {
  mongo: Pick<MongoStore, 'db' | 'shared'>
  owners: Pick<OwnerStore, 'remove' | 'get' | 'evaluation'>
  announcer: Pick<ChangeAnnouncer, 'removed'>
  active: RunningPlaces['active']
  tidy: Pick<PendingCleanup, 'removing'>
}

/**
 * Removes an owner, and artifacts that nothing else names. If the owner is already deleted, removes its
 * remains.
 */
export function removeOwner({ mongo, owners, tidy, announcer }: RemovalParts, id: string): Promise<void> {
  return tidy.removing(id, async () => {
    const owner = await owners.get(id)
    if (owner) await announcer.removed(owner)
    // First itself, so that nobody begins to use it.
    await owners.remove(id)
    await removeSessions(mongo, id)
    await removeNamed(mongo, id)
  })
}

/**
 * Removes a benchmark, or returns the id of an evaluation that still runs on it. If an evaluation begins at
 * the same time, either it sees the removal or it is seen here.
 */
export async function removeBenchmark(context: RemovalParts, id: string): Promise<string | null> {
  const { active, owners, mongo, tidy, announcer } = context
  let running: string | null = null
  await tidy.removing(id, async () => {
    for (const one of await listActiveIds(active)) {
      const evaluation = one.startsWith('ev_') ? await owners.evaluation(one) : null
      if (evaluation?.benchmark === id && !isEnded(evaluation)) running = one
    }
    if (running !== null) return
    const owner = await owners.get(id)
    if (owner) await announcer.removed(owner)
    await owners.remove(id)
    await removeSessions(mongo, id)
    await removeNamed(mongo, id)
  })
  return running
}
