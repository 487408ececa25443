/**
 * Which process uses which database. Several processes may share a server and a prefix: each claims the
 * numbers of its databases in a collection, for a minute at a time, and renews the claims while it lives.
 * What a killed process had claimed is free again after that minute. Times in claims are those of the server:
 * clocks of processes may be days apart, and whoever is ahead would take databases in use.
 *
 * Only an insert under a new _id has one winner on every server: on FerretDB v1, conditional updates succeed
 * for several callers, and a conditional delete may hit a document that was put in its place. So a claim is
 * `<number>:<generation>`, whoever takes over an expired one inserts the next generation, and no generation
 * is ever used again.
 *
 * A process that was stopped may still write to a database whose claim has long expired. So each generation
 * has a collection of its own there (slot.ts).
 */
import { type Db, MongoServerError } from 'mongodb'

const CLAIM_MS = 60_000
const RENEW_MS = 15_000

/** A database that this process may use: nobody else has its number in this generation. */
interface ClaimedDatabase {
  number: number
  generation: number
}
interface ReplicaClaim {
  _id: string
  owner: string
  until: number
}
export type ReplicaClaims = ReturnType<typeof createClaims>

const parse = (claim: ReplicaClaim) => {
  const [number = 0, generation = 0] = claim._id.split(':').map(Number)
  return { ...claim, number, generation }
}

/** Both in milliseconds. */
export interface ClaimClock {
  /** The time that all processes agree on. */
  shared: () => Promise<number>
  /** The clock of this process, for durations. */
  local: () => number
}

/** The server's time, and the monotonic one of this process. */
const createServerClock = (db: Db): ClaimClock => ({
  shared: async () => ((await db.command({ hello: 1 }))['localTime'] as Date).getTime(),
  local: () => performance.now(),
})

/** Claims in `db` for this owner, a text that no other process has. */
export function createClaims(db: Db, owner: string, { shared, local }: ClaimClock = createServerClock(db)) {
  const claims = db.collection<ReplicaClaim>('claims')
  let claimCount = 0
  let validUntil = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  /** The latest claim of each number. */
  async function latest() {
    const byNumber = new Map<number, ReturnType<typeof parse>>()
    for (const claim of (await claims.find().toArray()).map(parse))
      if (claim.generation > (byNumber.get(claim.number)?.generation ?? -1)) byNumber.set(claim.number, claim)
    return byNumber
  }

  async function renew() {
    // Too late: somebody may be taking it over this very moment.
    const began = local()
    if (began >= validUntil) return
    const until = (await shared()) + CLAIM_MS
    const { matchedCount } = await claims.updateMany({ owner }, { $set: { until } })
    // Fewer than ours: another process found one expired and took it. None can be trusted then.
    validUntil = matchedCount < claimCount ? Number.NEGATIVE_INFINITY : began + CLAIM_MS
  }

  /** Claims a number after the claim that is known of it. False where somebody else was faster. */
  async function claim(
    { number, generation }: ClaimedDatabase,
    last: ReturnType<typeof parse> | undefined,
  ): Promise<boolean> {
    try {
      await claims.insertOne({ _id: `${number}:${generation}`, owner, until: (await shared()) + CLAIM_MS })
    } catch (error) {
      if (error instanceof MongoServerError && error.code === 11000) return false
      throw error
    }
    // The known place may be old, and this generation long gone: the latest one counts.
    const won = (await latest()).get(number)?.generation === generation
    await claims.deleteOne({ _id: won ? (last?._id ?? '') : `${number}:${generation}` })
    return won
  }

  /** The least number that is free. */
  async function takeOne(): Promise<ClaimedDatabase> {
    for (;;) {
      const began = local()
      const now = await shared()
      const byNumber = await latest()
      let number = 1
      while ((byNumber.get(number)?.until ?? 0) > now) number++
      const last = byNumber.get(number)
      const claimed = { number, generation: (last?.generation ?? 0) + 1 }
      if (!(await claim(claimed, last))) continue
      if (claimCount++ === 0) validUntil = began + CLAIM_MS
      timer ??= setInterval(() => void renew().catch(() => undefined), RENEW_MS).unref()
      return claimed
    }
  }
  let line: Promise<unknown> = Promise.resolve()

  return {
    /** False once a claim may have been lost: then the databases may be in another process's hands. */
    valid: () => local() < validUntil,

    /** Takes a database. One after the other within a process: at once, they would all try for the same. */
    take(): Promise<ClaimedDatabase> {
      const next = line.then(takeOne)
      line = next.catch(() => undefined)
      return next
    },

    /** Gives all numbers back. */
    async close() {
      clearInterval(timer)
      if (claimCount > 0) await claims.updateMany({ owner }, { $set: { owner: '', until: 0 } })
    },
  }
}
