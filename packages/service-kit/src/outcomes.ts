/**
 * Outcomes of jobs by job id, in `<service>.outcomes`. The first outcome that is stored is the outcome: a second
 * delivery, or a second worker that was too slow, finds it there.
 */
import type { Outcome } from '@stateeval/contracts'
import type { Mongo } from './mongo.ts'

interface OutcomeDocument {
  _id: string
  /** How often work on it began. */
  attempts: number
  error?: string
  outcome?: Outcome
  at?: Date
}
export interface Outcomes {
  /** Counts an attempt and tells what is known. */
  begin(id: string): Promise<{ attempts: number; outcome?: Outcome; error?: string }>
  /** Takes an attempt back that a server's absence or a stop cut short. */
  forgive(id: string): Promise<void>
  /** Remembers why the last attempt failed. */
  noteFailure(id: string, error: string): Promise<void>
  /** Stores the outcome unless there is one, and gives the one that counts. */
  settle(id: string, outcome: Outcome): Promise<Outcome>
  /** The stored outcome; null where the job is not done. */
  find(id: string): Promise<Outcome | null>
}

export function outcomesIn(mongo: Mongo, now: () => Date): Outcomes {
  const collection = mongo.collection<OutcomeDocument>('outcomes')
  return {
    async begin(id) {
      const found = await collection.findOneAndUpdate({ _id: id }, { $inc: { attempts: 1 } }, { upsert: true, returnDocument: 'after' })
      return {
        attempts: found?.attempts ?? 1,
        ...(found?.outcome && { outcome: found.outcome }),
        ...(found?.error && { error: found.error }),
      }
    },
    async forgive(id) {
      await collection.updateOne({ _id: id }, { $inc: { attempts: -1 } })
    },
    async noteFailure(id, error) {
      await collection.updateOne({ _id: id }, { $set: { error: error.slice(0, 4000) } })
    },
    async settle(id, outcome) {
      const stored = await collection.updateOne({ _id: id, outcome: { $exists: false } }, { $set: { outcome, at: now() } })
      if (stored.matchedCount > 0) return outcome
      return (await collection.findOne({ _id: id }))?.outcome ?? outcome
    },
    find: async (id) => (await collection.findOne({ _id: id }))?.outcome ?? null,
  }
}
