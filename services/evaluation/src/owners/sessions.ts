/**
 * Removes the tool sessions that evaluations, builds and episodes leave in execution. An owner is marked
 * before its end is stored, and the mark goes after its sessions, so no crash leaves any.
 */
import { type Mongo, type Platform, removeRange } from '@stateeval/service-kit'
import { type EndedOwner, type EpisodeDocuments, stepKey } from '../episodes/stored.ts'
import { isEnded } from './owner.ts'
import type { Owners } from './owners.ts'

interface SessionParts extends Pick<EpisodeDocuments, 'endedOwners' | 'episodeTurns'>, Pick<Platform, 'now'> {
  mongo: Pick<Mongo, 'shared' | 'collection'>
  owners: Pick<Owners, 'get'>
}

/** Whoever goes on with a stopped evaluation within this time finds its open dialogues as they were. */
const resumableMs = 600_000
const together = 100

/** Removes an owner's sessions, which are listed as `<owner>:<session>`. */
export async function removeSessions({ shared }: Pick<Mongo, 'shared'>, owner: string): Promise<void> {
  const listed = shared('execution.tool-session-owners')
  const [log, sessions] = [shared('execution.tool-session-log'), shared('execution.tool-sessions')]
  for (;;) {
    const page = await listed
      .find({ _id: { $gte: `${owner}:`, $lt: `${owner};` } }, { projection: { _id: 1 } })
      .limit(together)
      .toArray()
    if (page.length === 0) return
    const ids = page.map(({ _id }) => _id.slice(owner.length + 1))
    for (const id of ids) await removeRange(log, `${id}:`, `${id};`)
    await sessions.deleteMany({ _id: { $in: ids } })
    await listed.deleteMany({ _id: { $in: page.map(({ _id }) => _id) } })
    if (page.length < together) return
  }
}

/** Removes the sessions of those that have ended. */
export async function tidySessions(context: SessionParts, signal: AbortSignal): Promise<void> {
  const { mongo, endedOwners } = context
  const marks = mongo.collection<{ text: string }>('ended-owners')
  for await (const { _id, text } of marks.find({})) {
    if (signal.aborted) return
    if (!(await isOver(context, _id, JSON.parse(text) as EndedOwner))) continue
    await removeSessions(mongo, _id)
    await endedOwners.remove(_id)
  }
}

/** False where the end was not stored after all, or may be taken back. */
async function isOver({ owners, episodeTurns, now }: SessionParts, id: string, { step }: EndedOwner) {
  if (step !== undefined) return (await episodeTurns.get(stepKey(id, step))) !== null
  const owner = await owners.get(id)
  if (!owner) return true
  if (!isEnded(owner)) return false
  if (owner.status === 'succeeded') return true
  return new Date(owner.finishedAt ?? owner.createdAt).getTime() + resumableMs <= now().getTime()
}
