/**
 * Removes the remains of deleted and old episodes in all services. A sweep handles many episodes at once
 * and reads each collection once.
 */
import { formatItemSession } from '@stateeval/flows'
import {
  listCollectionNames,
  getCurrentProject,
  type MongoStore,
  isNamedAfterOwners,
  type ServicePlatform,
  type PendingCleanup,
} from '@stateeval/service-kit'
import type { LeaseStore } from './leases.ts'
import type { EpisodeDocuments, StoredEpisode } from './stored.ts'

interface TidyParts extends Pick<EpisodeDocuments, 'removedEpisodes'>, Pick<ServicePlatform, 'log'> {
  mongo: MongoStore
  leases: LeaseStore
  tidy: Pick<PendingCleanup, 'collectAt'>
  now: () => Date
}

/** Episodes of one round, and the least time between two rounds in milliseconds. */
const [maxTogether, everyMs] = [2000, 30_000]
/** Sessions of one episode, by their numbers. */
const maxSessions = 16
const lastRounds = new Map<string, number>()

export async function removeOldEpisodes(context: TidyParts, signal: AbortSignal): Promise<void> {
  const { mongo, leases, log, tidy, now } = context
  await leases.sweep()
  const project = getCurrentProject()
  if (performance.now() - (lastRounds.get(project) ?? -Infinity) < everyMs) return
  const marks = mongo.collection('removed-episodes')
  const ids = (
    await marks
      .find({}, { projection: { _id: 1 } })
      .limit(maxTogether)
      .toArray()
  ).map(({ _id }) => _id)
  if (ids.length === 0) return
  lastRounds.set(project, performance.now())
  await removeAll(context, ids, signal)
  if (signal.aborted) return
  await context.removedEpisodes.remove(...ids)
  await tidy.collectAt(now())
  log.info({ episodes: ids.length }, 'episodes were removed')
}

async function removeAll({ mongo }: TidyParts, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const episodes = new Set(ids)
  const sessions = new Set(
    ids.flatMap((id) => Array.from({ length: maxSessions }, (_, n) => formatItemSession(id, n))),
  )
  for (const name of await listCollectionNames(mongo)) {
    if (signal.aborted) return
    if (!isNamedAfterOwners(name) || name.endsWith('removed-episodes')) continue
    const collection = mongo.shared(name)
    const remove = async (prefix: string, isOurs: (owner: string) => boolean) => {
      // '`' is the character after '_'.
      const range = { _id: { $gte: `${prefix}_`, $lt: `${prefix}\`` } }
      let batch: string[] = []
      const flush = async () => {
        if (batch.length > 0) await collection.deleteMany({ _id: { $in: batch } })
        batch = []
      }
      for await (const { _id } of collection.find(range, { projection: { _id: 1 } })) {
        if (!isOurs(/^[0-9a-z_]+/.exec(_id)?.[0] ?? '')) continue
        if (batch.push(_id) === 100) await flush()
      }
      await flush()
    }
    await remove('ep', (owner) => episodes.has(owner))
    if (name.startsWith('execution.tool-session')) await remove('ses', (owner) => sessions.has(owner))
  }
}

/**
 * Marks episodes for removal that were opened before that time and whose lease is over. Returns their
 * number and calls `keep` for the others.
 */
export async function expireEpisodes(
  { mongo, leases, removedEpisodes }: Pick<TidyParts, 'mongo' | 'leases' | 'removedEpisodes'>,
  before: Date,
  signal: AbortSignal,
  keep: (episode: StoredEpisode) => void,
): Promise<number> {
  const episodes = mongo.collection<{ text: string }>('episodes')
  let removed = 0
  for await (const { _id, text } of episodes.find({})) {
    if (signal.aborted) break
    const episode = JSON.parse(text) as StoredEpisode
    if (new Date(episode.createdAt) >= before || (await leases.endOf(_id))) {
      keep(episode)
      continue
    }
    await removedEpisodes.put(_id, true)
    await episodes.deleteOne({ _id })
    removed++
  }
  return removed
}
