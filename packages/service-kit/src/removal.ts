/**
 * Removes everything that belongs to a resource. Documents of a resource and its jobs are named after it,
 * so they are found in every collection without a list.
 */
import type { Collection } from 'mongodb'
import { qualifyName } from './access/project.ts'
import { waitForInsert, type MongoStore } from './mongo.ts'
import { drawRandomHex } from './random.ts'

/**
 * Names of the current project's collections, without its prefix; collections of the installation are not
 * included.
 */
export async function listCollectionNames({ db }: Pick<MongoStore, 'db'>): Promise<string[]> {
  const prefix = qualifyName('')
  const all = await db.listCollections({}, { nameOnly: true }).toArray()
  return all
    .map(({ name }) => name)
    .filter((name) =>
      prefix === '' ? !name.includes('@') && !/^(access|system)\./.test(name) : name.startsWith(prefix),
    )
    .map((name) => name.slice(prefix.length))
    .sort()
}

/** Collections whose documents are named by content, or by time. */
const namedOtherwise = /^(artifacts|sealed-artifacts|artifact-uses|answers|audit|usage|rates|claims|tidy)$/
/** Tells whether a collection names its documents after the resources that own them. */
export const isNamedAfterOwners = (collection: string) => !namedOtherwise.test(collection)

const together = 500

/** Removes the documents `id`, `id/…`, `id:…` and `id#…` of all services, or of one. */
export async function removeNamed(
  mongo: Pick<MongoStore, 'db' | 'shared'>,
  id: string,
  service?: string,
): Promise<void> {
  const collections = (await listCollectionNames(mongo))
    .filter((name) => isNamedAfterOwners(name) && (service === undefined || name.startsWith(`${service}.`)))
    .map((name) => mongo.shared(name))
  for (const collection of collections)
    // The character after each.
    for (const [mark, after] of [
      ['#', '$'],
      ['/', '0'],
      [':', ';'],
    ] as const)
      await removeRange(collection, `${id}${mark}`, `${id}${after}`)
  // The resource itself last: a removal that is cut short finds it again.
  for (const collection of collections) await collection.deleteOne({ _id: id })
}

/**
 * Removes the documents from one id to before another. They are listed first, because not every server
 * deletes by range.
 */
export async function removeRange(
  collection: Collection<{ _id: string }>,
  from: string,
  before: string,
): Promise<number> {
  let removed = 0
  for (;;) {
    const batch = await collection
      .find({ _id: { $gte: from, $lt: before } }, { projection: { _id: 1 } })
      .limit(together)
      .toArray()
    if (batch.length === 0) return removed
    await collection.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } })
    removed += batch.length
    if (batch.length < together) return removed
  }
}

interface EndedWork {
  createdAt: Date
  finishedAt?: Date
}

/** Removes a service's long work that ended before that time, with everything named after it. */
export async function expireLongWork(
  mongo: MongoStore,
  service: string,
  name: string,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  const works = mongo.collection<EndedWork>(name)
  const ends = mongo.collection<{ end: { finishedAt: Date } }>(`${name}.ends`)
  const old = works.find({ createdAt: { $lt: before } }, { projection: { _id: 1, finishedAt: 1 } })
  let removed = 0
  for await (const { _id, finishedAt } of old) {
    if (signal.aborted) break
    const at = finishedAt ?? (await ends.findOne({ _id }))?.end.finishedAt
    if (at === undefined || at >= before) continue
    await removeNamed(mongo, _id, service)
    removed++
  }
  return removed
}

/** Removes Idempotency-Keys of that age, with their responses. */
export async function expireIdempotencyKeys(mongo: MongoStore, before: Date): Promise<void> {
  const keys = mongo.collection<{ at: Date }>('idempotency')
  const answers = mongo.collection('idempotency-answers')
  for await (const { _id } of keys.find({ at: { $lt: before } }, { projection: { _id: 1 } })) {
    await removeRange(answers, `${_id}:`, `${_id};`)
    // The key last: a removal that is cut short finds it again.
    await keys.deleteOne({ _id })
  }
}

/** The pending cleanup of a project: removals in progress, and whether artifacts may be unused. */
export interface PendingCleanup {
  /** Does a removal, and finishes it later where it is cut short. Artifacts are collected afterwards. */
  removing(id: string, work: () => Promise<void>): Promise<void>
  isRemoving(id: string): Promise<boolean>
  /** Removals that somebody began and did not finish. */
  unfinished(): Promise<string[]>
  /** Says that artifacts may be unused from then on. */
  collectAt(at: Date): Promise<void>
  /** Collects artifacts where that is due; a collection that is cut short stays due. */
  collecting(work: () => Promise<void>): Promise<void>
}

/** Whoever removes something is done within this time, or has died. */
const removesWithinMs = 120_000

export function openPendingCleanup(mongo: Pick<MongoStore, 'shared'>, now: () => Date): PendingCleanup {
  const marks = mongo.shared<{ at: Date }>('tidy')
  // A mark each: one that comes while artifacts are collected stays for the next time.
  const collectAt = async (at: Date) =>
    void (await marks.insertOne({ _id: `collect/${drawRandomHex(8)}`, at }))
  return {
    collectAt,
    async removing(id, work) {
      const _id = `remove/${id}`
      await waitForInsert(marks.insertOne({ _id, at: now() }))
      await work()
      await collectAt(now())
      await marks.deleteOne({ _id })
    },
    isRemoving: async (id) => (await marks.findOne({ _id: `remove/${id}` })) !== null,
    async unfinished() {
      const all = await marks.find({ _id: { $gte: 'remove/', $lt: 'remove0' } }).toArray()
      const died = now().getTime() - removesWithinMs
      return all.filter(({ at }) => at.getTime() < died).map(({ _id }) => _id.slice('remove/'.length))
    },
    async collecting(work) {
      const all = await marks.find({ _id: { $gte: 'collect/', $lt: 'collect0' } }).toArray()
      const due = all.filter(({ at }) => at <= now())
      if (due.length === 0) return
      await work()
      await marks.deleteMany({ _id: { $in: due.map(({ _id }) => _id) } })
    },
  }
}
