/**
 * Which process uses which database. Several processes may share a server and a prefix: each claims the numbers of its
 * databases in a collection, for a minute at a time, and renews the claims while it lives. What a killed process had
 * claimed is free again after that minute.
 */
import { type Db, MongoServerError } from 'mongodb'

const CLAIM_MS = 60_000
const RENEW_MS = 15_000

interface Claim {
  _id: number
  owner: string
  until: number
}
export type Claims = ReturnType<typeof createClaims>

/** Claims in `db` for this owner, a text that no other process has. `now` is in milliseconds. */
export function createClaims(db: Db, owner: string, now: () => number) {
  const claims = db.collection<Claim>('claims')
  let held = 0
  let validUntil = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  async function renew() {
    // Too late: somebody may be taking it over this very moment.
    if (now() >= validUntil) return
    const until = now() + CLAIM_MS
    const { matchedCount } = await claims.updateMany({ owner }, { $set: { until } })
    // Fewer than ours: another process found one expired and took it. None can be trusted then.
    validUntil = matchedCount < held ? 0 : until
  }
  /**
   * Takes number n: where nobody has it, or its claim has expired. Exactly one of several processes succeeds, since
   * deletes and inserts are atomic everywhere; conditional updates are not (on FerretDB v1 several callers win).
   */
  async function claim(n: number, expired: Claim | undefined): Promise<boolean> {
    if (expired) {
      const { deletedCount } = await claims.deleteOne({ _id: n, owner: expired.owner, until: expired.until })
      if (deletedCount === 0) return false
    }
    try {
      await claims.insertOne({ _id: n, owner, until: now() + CLAIM_MS })
      return true
    } catch (error) {
      if (error instanceof MongoServerError && error.code === 11000) return false
      throw error
    }
  }

  return {
    /** False once a claim may have been lost: then the databases may be in another process's hands. */
    valid: () => now() < validUntil,

    /** The least number that is free. */
    async take(): Promise<number> {
      for (;;) {
        const known = new Map((await claims.find().toArray()).map((entry) => [entry._id, entry]))
        for (let n = 1; n <= known.size + 1; n++) {
          const taken = known.get(n)
          if (taken && (taken.owner === owner || taken.until > now())) continue
          if (!(await claim(n, taken))) break
          if (held++ === 0) validUntil = now() + CLAIM_MS
          timer ??= setInterval(() => void renew().catch(() => undefined), RENEW_MS).unref()
          return n
        }
      }
    },

    /** Gives all numbers back. */
    async close() {
      clearInterval(timer)
      if (held > 0) await claims.deleteMany({ owner })
    },
  }
}
