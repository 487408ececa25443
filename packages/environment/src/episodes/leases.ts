/**
 * Leases: an episode is open while a client steps or renews it. A lease is one document with the time of
 * its end. It is rewritten only when less than half of it is left, so most steps read only memory. The end
 * moves later, never earlier, so a replica with an outdated end is on the safe side.
 */
import { ProblemError } from '@stateeval/contracts'
import {
  memoizeByProject,
  getCurrentProject,
  qualifyName,
  waitForInsert,
  type ServicePlatform,
} from '@stateeval/service-kit'
import { LRUCache } from 'lru-cache'
import { createGate } from './gate.ts'

export interface LeaseStore {
  /** Opens a lease, or moves its end. Throws a problem where as many episodes are open as may be. */
  renew(episode: string, seconds: number): Promise<Date>
  /** False where the lease is over; else it lasts as long again. */
  extend(episode: string, seconds: number): Promise<boolean>
  /** Its end; null where it is over. */
  endOf(episode: string): Promise<Date | null>
  end(episode: string): Promise<void>
  /** Forgets those that are over. */
  sweep(): Promise<void>
}

/** Ends that are remembered. */
const maxRemembered = 20_000
/** When a place may be free again, in seconds: a guess. */
const placeRetryAfter = 5

export function openLeases({
  mongo,
  quota,
  now,
}: Pick<ServicePlatform, 'mongo' | 'quota' | 'now'>): LeaseStore {
  const leases = mongo.collection<{ until: Date }>('episode-leases')
  const remembered = new LRUCache<string, number>({ max: maxRemembered })
  const remember = (episode: string, until: Date) => remembered.set(qualifyName(episode), until.getTime())
  const after = (seconds: number) => new Date(now().getTime() + seconds * 1000)
  /** Whoever is counted and then refused would keep others out that come at the same time. */
  const inTurn = memoizeByProject(() => createGate(1))
  const sweep = async () => void (await leases.deleteMany({ until: { $lte: now() } }))

  /** False where it was swept meanwhile. */
  async function move(episode: string, until: Date): Promise<boolean> {
    const { matchedCount } = await leases.updateOne({ _id: episode }, { $set: { until } })
    if (matchedCount === 0) return false
    remember(episode, until)
    return true
  }
  const isWithin = async (max: number) => (await leases.countDocuments()) <= max

  async function takePlace(episode: string, until: Date): Promise<void> {
    const { episodes: max = null } = await quota.rules.limits(getCurrentProject())
    if (max !== null) await inTurn()(() => takeOneOf(max, episode, until))
    else await waitForInsert(leases.insertOne({ _id: episode, until }))
    remember(episode, until)
  }
  async function takeOneOf(max: number, episode: string, until: Date): Promise<void> {
    const isTaken = !(await waitForInsert(leases.insertOne({ _id: episode, until })))
    if (!isTaken && !(await isWithin(max))) {
      await sweep()
      if (!(await isWithin(max))) {
        await leases.deleteOne({ _id: episode })
        throw quota.refusal(
          'episodes',
          new ProblemError(
            'too-many-requests',
            `${max} episodes are open in this project, which is its limit; end or delete one, or wait until a lease expires`,
            undefined,
            placeRetryAfter,
          ),
        )
      }
    }
  }
  return {
    sweep,
    async renew(episode, seconds) {
      const lease = await leases.findOne({ _id: episode })
      const until = new Date(Math.max(after(seconds).getTime(), lease?.until.getTime() ?? 0))
      if (!lease || !(await move(episode, until))) await takePlace(episode, until)
      return until
    },
    async extend(episode, seconds) {
      const until = after(seconds)
      const known = remembered.get(qualifyName(episode)) ?? 0
      if (until.getTime() - known < (seconds * 1000) / 2) return true
      const lease = await leases.findOne({ _id: episode })
      if (!lease || lease.until <= now()) return false
      return lease.until >= until || (await move(episode, until))
    },
    async endOf(episode) {
      const lease = await leases.findOne({ _id: episode })
      return lease && lease.until > now() ? lease.until : null
    },
    async end(episode) {
      remembered.delete(qualifyName(episode))
      await leases.deleteOne({ _id: episode })
    },
  }
}
