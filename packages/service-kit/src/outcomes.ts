/**
 * Outcomes of jobs by job id, in `<service>.outcomes`. The first outcome that is stored is the outcome: a
 * second delivery, or a second worker that was too slow, finds it there. Outcomes and attempts are inserted,
 * never updated: a unique _id is what every MongoDB-compatible server keeps, while the embedded one loses one
 * of two updates at the same time. JSON text keeps every value as it is.
 */
import { EventEmitter } from 'node:events'
import type { JobOutcome } from '@stateeval/contracts'
import { insertTogether } from './insert-together.ts'
import type { MongoStore } from './mongo.ts'
import { pauseUnlessAborted } from './time.ts'
import { write, writeObject, type JsonWritten } from './written.ts'

interface OutcomeDocument {
  _id: string
  text: string
  at: Date
}
/** `<job id>#<n>`: work on it began for the n-th time. */
interface AttemptDocument {
  _id: string
}
interface FailureDocument {
  _id: string
  error: string
}
/** An outcome whose value may already be serialized. */
export type WritableOutcome = JobOutcome | { status: 'done'; value: JsonWritten }
export const writeOutcome = (outcome: WritableOutcome): JsonWritten =>
  outcome.status === 'done' ? writeObject({ ...outcome }) : write(outcome)

export interface JobOutcomes {
  /** Counts an attempt and tells what is known. */
  begin(id: string): Promise<{ attempts: number; outcome?: JobOutcome; error?: string }>
  /** Takes an attempt back that a server's absence or a stop cut short. */
  forgive(id: string): Promise<void>
  /** Remembers why the last attempt failed. */
  noteFailure(id: string, error: string): Promise<void>
  /** Forgets attempts and failures, where no outcome is stored: the same job may be asked for again. */
  forget(id: string): Promise<void>
  /** Forgets, once for each dead letter, how a job failed; one that was done or refused stays so. */
  reopen(id: string, deadLetter: string): Promise<void>
  /** Stores the outcome unless there is one, and gives the one that counts. */
  settle(id: string, outcome: WritableOutcome): Promise<WritableOutcome>
  /** The stored outcome; null where the job is not done. */
  find(id: string): Promise<JobOutcome | null>
  /**
   * Resolves when this process has settled the job, after so many milliseconds at the latest: then another
   * may have.
   */
  settledHere(id: string, ms: number, signal?: AbortSignal): Promise<void>
}

export function openOutcomes(mongo: MongoStore, now: () => Date): JobOutcomes {
  const outcomes = mongo.collection<OutcomeDocument>('outcomes')
  const attempts = mongo.collection<AttemptDocument>('attempts')
  const failures = mongo.collection<FailureDocument>('failures')
  const storeOutcome = insertTogether(outcomes)
  const storeAttempt = insertTogether(attempts)
  const settlements = new EventEmitter<Record<string, []>>().setMaxListeners(0)
  const find = async (id: string) => {
    const document = await outcomes.findOne({ _id: id })
    return document === null ? null : (JSON.parse(document.text) as JobOutcome)
  }
  /** The newest attempt; 0 where there is none. */
  const latest = async (id: string, from: number): Promise<number> => {
    let n = from
    while ((await attempts.findOne({ _id: `${id}#${n + 1}` })) !== null) n++
    return n
  }
  const forget = async (id: string) => {
    for (let n = await latest(id, 0); n > 0; n--) await attempts.deleteOne({ _id: `${id}#${n}` })
    await failures.deleteOne({ _id: id })
  }
  return {
    find,
    forget,
    async begin(id) {
      // Mostly the first attempt, and then there is nothing to know: one insert.
      if (await storeAttempt({ _id: `${id}#1` })) return { attempts: 1 }
      const outcome = await find(id)
      let n = await latest(id, 1)
      if (outcome) return { attempts: n, outcome }
      while (!(await storeAttempt({ _id: `${id}#${++n}` })));
      const failure = await failures.findOne({ _id: id })
      return { attempts: n, ...(failure && { error: failure.error }) }
    },
    async forgive(id) {
      await attempts.deleteOne({ _id: `${id}#${await latest(id, 0)}` })
    },
    async noteFailure(id, error) {
      await failures.replaceOne({ _id: id }, { error: error.slice(0, 4000) }, { upsert: true })
    },
    async reopen(id, deadLetter) {
      // Written last: a kill before it lets the next delivery begin here again, and no attempt was made
      // meanwhile.
      const mark = `${id}#redriven:${deadLetter}`
      if ((await attempts.findOne({ _id: mark })) !== null) return
      if ((await find(id))?.status === 'failed') await outcomes.deleteOne({ _id: id })
      await forget(id)
      await storeAttempt({ _id: mark })
    },
    async settle(id, outcome) {
      const first = await storeOutcome({ _id: id, text: writeOutcome(outcome).text, at: now() })
      const counts = first ? outcome : ((await find(id)) ?? outcome)
      settlements.emit(id)
      return counts
    },
    async settledHere(id, ms, signal) {
      const woken = Promise.withResolvers<void>()
      settlements.once(id, woken.resolve)
      await Promise.race([woken.promise, pauseUnlessAborted(ms, signal)])
      settlements.off(id, woken.resolve)
    },
  }
}
