/**
 * Executions that ran where they were asked for, stored together a moment after their callers have the answers: a write for
 * each would cost as much as running it. Until then this process tells of them. Should it die before, the caller has the
 * answer and only the record is lost.
 */
import type { ExecutionResult } from '@stateeval/contracts'
import { type Artifacts, isDuplicate, type Log, type Mongo } from '@stateeval/service-kit'
import type { BegunExecution, EndOfExecution } from './store.ts'

/** Results as JSON text, or the artifact that has them: BSON takes not every name and no deep nesting. */
type Kept = { text: string } | { artifact: string }
export interface RecordedExecution extends BegunExecution, EndOfExecution {
  kept: Kept
}
export type Finished = Omit<RecordedExecution, 'kept'>

export interface Records {
  /** Resolves at once, except where too many are waiting to be stored: then when they are. */
  add(this: void, execution: Finished, results: readonly ExecutionResult[]): Promise<void>
  /** One that isn’t stored yet. */
  waiting(id: string): Finished | undefined
  results(execution: Finished): Promise<ExecutionResult[]>
  /** Stores what waits. Rejects where the database doesn’t take it. */
  flush(): Promise<void>
}

const storeAfterMs = 50
const againAfterMs = 1000
const mostWaiting = 1000
const mostTogether = 100
/** Longer results are artifacts: lists of executions read their documents. */
const longestText = 16_000

export function openRecords(mongo: Mongo, artifacts: Artifacts, log: Log): Records {
  const collection = mongo.collection<RecordedExecution>('executions')
  const waiting = new Map<string, { execution: Finished; results: readonly ExecutionResult[] }>()
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> | undefined

  const document = async ({ execution, results }: { execution: Finished; results: readonly ExecutionResult[] }) => {
    const text = JSON.stringify(results)
    const kept: Kept = text.length <= longestText ? { text } : { artifact: await artifacts.put(Buffer.from(text)) }
    return { ...execution, kept }
  }
  const store = async () => {
    while (waiting.size > 0) {
      const some = [...waiting.values()].slice(0, mostTogether)
      await collection.insertMany((await Promise.all(some.map(document))) as never, { ordered: false }).catch((error: unknown) => {
        // Stored by a try whose answer was lost.
        if (!isDuplicate(error)) throw error
      })
      for (const { execution } of some) waiting.delete(execution._id)
    }
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    return (storing ??= store().finally(() => (storing = undefined)))
  }
  const later = (ms: number) => {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => {
        log.warn({ reason: String(error), waiting: waiting.size }, 'executions could not be stored yet')
        later(againAfterMs)
      })
    }, ms)
  }
  return {
    async add(execution, results) {
      if (waiting.size >= mostWaiting) await flush()
      waiting.set(execution._id, { execution, results })
      later(storeAfterMs)
    },
    waiting: (id) => waiting.get(id)?.execution,
    async results(execution) {
      const held = waiting.get(execution._id)
      if (held) return [...held.results]
      const { kept } = execution as RecordedExecution
      return ('text' in kept ? JSON.parse(kept.text) : await artifacts.getJson(kept.artifact)) as ExecutionResult[]
    },
    flush,
  }
}
