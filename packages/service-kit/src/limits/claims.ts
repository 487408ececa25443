/**
 * Places for work that is limited per project. A place is taken by inserting its next document, which
 * succeeds for one replica on every server. Ended work is detected when its place is needed, so nothing has
 * to release one.
 */
import { waitForInsert, type MongoStore } from '../mongo.ts'

interface PlaceClaim {
  owner: string
  at: Date
}
interface PlaceClaims {
  /** Takes a place for `owner`; false where `max` are running. */
  take(owner: string, max: number, work: RunningWork): Promise<boolean>
  /** Gives the place of work back that ended so early that its place may still count as young. */
  release(owner: string): Promise<void>
}
export interface RunningWork {
  /** Ids of all that has not ended, also of what began without a place, as no limit was set. */
  running(): Promise<readonly string[]>
  /** Tells whether the owner of this claim is stored and has ended. */
  hasEnded(id: string): Promise<boolean>
}

/** Whoever has a place stores its work within this time, in milliseconds. */
const beginsWithinMs = 60_000
const longAgo = new Date(0)

/** The places for one kind of work of one project. */
export function openClaims(mongo: Pick<MongoStore, 'shared'>, kind: string, now: () => Date): PlaceClaims {
  const claims = mongo.shared<PlaceClaim>('claims')
  const idOf = (place: number, turn: number) =>
    `${kind}/${String(place).padStart(6, '0')}/${String(turn).padStart(9, '0')}`
  /** The last document of each place. */
  const lastClaims = async () => {
    const places = new Map<number, { turn: number; _id: string } & PlaceClaim>()
    // '0' is the character after '/'.
    const cursor = claims.find({ _id: { $gte: `${kind}/`, $lt: `${kind}0` } }).sort({ _id: 1 })
    for await (const claim of cursor) {
      const [, place, turn] = claim._id.split('/')
      places.set(Number(place), { ...claim, turn: Number(turn) })
    }
    return places
  }
  return {
    async take(owner, max, work) {
      for (;;) {
        const places = await lastClaims()
        const active = new Set(await work.running())
        const live: (PlaceClaim & { place: number })[] = []
        for (const [place, claim] of places) {
          const isYoung = now().getTime() - claim.at.getTime() < beginsWithinMs
          if (active.has(claim.owner) || (isYoung && !(await work.hasEnded(claim.owner))))
            live.push({ ...claim, place })
        }
        // The same request again, or work that continues and was never given up.
        if (live.some((claim) => claim.owner === owner) && active.has(owner)) return true
        const holders = new Set(live.map((claim) => claim.owner))
        const others = [...active].filter((id) => !holders.has(id) && id !== owner)
        holders.delete(owner)
        if (holders.size + others.length >= max) return false
        let place = 0
        while (live.some((claim) => claim.place === place && claim.owner !== owner)) place++
        const before = places.get(place)
        const _id = idOf(place, (before?.turn ?? 0) + 1)
        if (!(await waitForInsert(claims.insertOne({ _id, owner, at: now() })))) continue
        if (before) await claims.deleteOne({ _id: before._id })
        return true
      }
    },
    async release(owner) {
      // The document stays: without it, the next turn of the place would begin at 1 again.
      for (const claim of (await lastClaims()).values())
        if (claim.owner === owner) await claims.updateOne({ _id: claim._id }, { $set: { at: longAgo } })
    },
  }
}
