/**
 * Removes the tool sessions that evaluations, builds and episodes leave in execution. An owner is marked
 * before its end is stored, and the mark goes after its sessions, so no crash leaves any.
 */
import type { FixedDocuments, MongoStore, ServicePlatform } from '@stateeval/service-kit'
import { isEnded } from './owner.ts'
import type { OwnerStore } from './owners.ts'

/** A finished owner: an episode with its last step, an evaluation or a build. */
export interface EndedOwner {
  step?: number
}

interface SessionParts extends Pick<ServicePlatform, 'now'> {
  mongo: Pick<MongoStore, 'shared' | 'collection'>
  owners: Pick<OwnerStore, 'get'>
  endedOwners: Pick<FixedDocuments<EndedOwner>, 'remove'>
  /** Tells whether a step of an episode is stored. */
  isStored: (episode: string, step: number) => Promise<boolean>
}

/** A stopped evaluation that is resumed within this time finds its open dialogues unchanged. */
const resumableMs = 600_000
/** Sessions of one round, and documents of one command. */
const [maxTogether, maxDocuments] = [20_000, 500]
/** A round reads whole collections, so it comes with every third sweep. */
const sweepsOfRound = 3

type SharedCollections = Pick<MongoStore, 'shared'>

async function removeWhere({ shared }: SharedCollections, name: string, isOurs: (id: string) => boolean) {
  const collection = shared(name)
  let batch: string[] = []
  const flush = async () => {
    if (batch.length > 0) await collection.deleteMany({ _id: { $in: batch } })
    batch = []
  }
  // Read once, however many there are: not every server finds a range of ids by an index.
  for await (const { _id } of collection.find({}, { projection: { _id: 1 } }))
    if (isOurs(_id) && batch.push(_id) === maxDocuments) await flush()
  await flush()
}

/** Removes the sessions of owners, which are listed as `<owner>:<session>`; false where some are left. */
async function removeSome(mongo: SharedCollections, owners: ReadonlySet<string>): Promise<boolean> {
  const list = 'execution.tool-session-owners'
  const sessions = new Set<string>()
  const lines = new Set<string>()
  for await (const { _id } of mongo.shared(list).find({}, { projection: { _id: 1 } })) {
    const [owner = '', session = ''] = _id.split(':')
    if (!owners.has(owner)) continue
    sessions.add(session)
    if (lines.add(_id).size === maxTogether) break
  }
  if (lines.size === 0) return true
  await removeWhere(mongo, 'execution.tool-session-log', (id) => sessions.has(id.split(':')[0] ?? ''))
  await removeWhere(mongo, 'execution.tool-sessions', (id) => sessions.has(id))
  await removeWhere(mongo, list, (id) => lines.has(id))
  return lines.size < maxTogether
}

/** Removes all sessions of an owner. */
export async function removeSessions(mongo: SharedCollections, owner: string): Promise<void> {
  while (!(await removeSome(mongo, new Set([owner])))) continue
}

/** Removes the sessions of ended owners in one project. */
export interface SessionTidy {
  sweep(): Promise<void>
}
export function createSessionTidy(context: SessionParts): SessionTidy {
  let sweeps = 0
  return {
    async sweep() {
      if (++sweeps % sweepsOfRound === 0) await removeEnded(context)
    },
  }
}

/** One round. */
export async function removeEnded(context: SessionParts): Promise<void> {
  const { mongo, endedOwners } = context
  const marks = mongo.collection<{ text: string }>('ended-owners')
  const over = new Set<string>()
  for await (const { _id, text } of marks.find({}).limit(maxTogether))
    if (await isOver(context, _id, JSON.parse(text) as EndedOwner)) over.add(_id)
  if (over.size > 0 && (await removeSome(mongo, over))) await endedOwners.remove(...over)
}

/** False where the end was not stored after all, or may be taken back. */
async function isOver({ owners, isStored, now }: SessionParts, id: string, { step }: EndedOwner) {
  if (step !== undefined) return isStored(id, step)
  const owner = await owners.get(id)
  if (!owner) return true
  if (!isEnded(owner)) return false
  if (owner.status === 'succeeded') return true
  return new Date(owner.finishedAt ?? owner.createdAt).getTime() + resumableMs <= now().getTime()
}
