/**
 * Keeps users and collectors of an artifact apart: never both. A use is a mark of the present ten minutes,
 * set before anybody looks whether the bytes are stored. A collector takes the very same marks, so the first
 * insert of the two counts, on every server (docs/decisions/inserts.md). Nobody has to give a mark back: old
 * ones say when an artifact was last used.
 */
import { LRUCache } from 'lru-cache'
import type { Collection } from 'mongodb'
import { separateByProject } from './access/project.ts'
import { waitForInsert, type MongoStore } from './mongo.ts'
import { pauseUnlessAborted } from './time.ts'

interface UseMark {
  _id: string
  /** Taken by a collector at this time, and not by a user. */
  gone?: Date
}

interface ArtifactUses {
  /** From now on it is not collected for an hour. Resolves when no collector is at it any more. */
  note(hash: string): Promise<void>
  /** Hashes of what was used since then. */
  since(at: Date): Promise<Set<string>>
  /**
   * Takes an artifact that nobody has used lately, and gives the function that releases it; null where
   * somebody has, or another collector is at it.
   */
  take(hash: string): Promise<(() => Promise<void>) | null>
  /** Forgets uses before that time. */
  forget(before: Date): Promise<void>
}

export const markMs = 600_000
const computeUseTurn = (at: Date) => Math.floor(at.getTime() / markMs)
const formatUseId = (turn: number, hash: string) => `${String(turn).padStart(9, '0')}/${hash}`

/** A collector stops removing after the first time, and is considered dead after the second. */
export const collectsWithinMs = 20_000
const diedAfterMs = 60_000
const waitMs = 25

export function openArtifactUses(mongo: Pick<MongoStore, 'shared'>, now: () => Date): ArtifactUses {
  const marks = mongo.shared<UseMark>('artifact-uses')
  return separateByProject(() => createArtifactUses(marks, now))
}

function createArtifactUses(marks: Collection<UseMark>, now: () => Date): ArtifactUses {
  const noted = new LRUCache<string, number>({ max: 10_000 })
  const put = (turn: number, hash: string, more: { gone?: Date } = {}) =>
    waitForInsert(marks.insertOne({ _id: formatUseId(turn, hash), ...more }))
  /** Tells whether a collector that has died left the mark; then it is removed. */
  const hasDied = async ({ _id, gone }: UseMark) => {
    if (gone === undefined || now().getTime() - gone.getTime() < diedAfterMs) return false
    await marks.deleteOne({ _id })
    return true
  }
  return {
    async note(hash) {
      for (;;) {
        const turn = computeUseTurn(now())
        if (noted.get(hash) === turn) return
        if (await put(turn, hash)) return void noted.set(hash, turn)
        const mark = await marks.findOne({ _id: formatUseId(turn, hash) })
        if (mark && mark.gone === undefined) return void noted.set(hash, turn)
        if (mark && (await hasDied(mark))) continue
        await pauseUnlessAborted(waitMs)
      }
    },
    async since(at) {
      const used = new Set<string>()
      const cursor = marks.find(
        { _id: { $gte: formatUseId(computeUseTurn(at), '') } },
        { projection: { _id: 1 } },
      )
      for await (const { _id } of cursor) used.add(_id.slice(_id.indexOf('/') + 1))
      return used
    },
    async take(hash) {
      const turn = computeUseTurn(now())
      const turns: number[] = []
      const release = async () => {
        for (const one of turns) await marks.deleteOne({ _id: formatUseId(one, hash) })
      }
      // Clocks of replicas differ a little, and the ten minutes may end meanwhile.
      for (const one of [turn - 1, turn, turn + 1]) {
        if (!(await put(one, hash, { gone: now() }))) {
          const other = await marks.findOne({ _id: formatUseId(one, hash) })
          if (other) await hasDied(other)
          await release()
          return null
        }
        turns.push(one)
      }
      return release
    },
    async forget(before) {
      await marks.deleteMany({ _id: { $lt: formatUseId(computeUseTurn(before), '') } })
    },
  }
}
