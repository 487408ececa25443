/** The only file that knows MongoDB: executions that were asked for over HTTP. Their results are outcomes of jobs. */
import type { ExecutionResult, JobStatus } from '@stateeval/contracts'
import { type Artifacts, type Log, longWorkIn, type Mongo } from '@stateeval/service-kit'
import { type Finished, openRecords, type RecordedExecution } from './records.ts'

export interface BegunExecution {
  _id: string
  total: number
  createdAt: Date
  batch: boolean
  /** What to run, for asking again: the artifact of the requests, in their order. None where it ran before it was stored. */
  requests?: string
}
export interface EndOfExecution {
  ended: Extract<JobStatus, 'succeeded' | 'failed' | 'cancelled'>
  finishedAt: Date
  error?: string
}
/** Running or queued is read off the outcomes; so are the results, except of one that ran before it was stored. */
export type StoredExecution = BegunExecution & Partial<EndOfExecution>
/** The job of the n-th program of an execution. */
export const jobOf = (execution: string, n: number) => `${execution}:${n}`

export interface Store {
  /** Stores an execution unless it exists, and gives the stored one. */
  create(execution: BegunExecution): Promise<StoredExecution>
  /** Keeps an execution that ran before it was stored, with its results; stored a moment later, see records.ts. */
  record(execution: Finished, results: readonly ExecutionResult[]): Promise<void>
  /** What was recorded with it; undefined where its jobs have the results. */
  recorded(execution: StoredExecution): Promise<ExecutionResult[] | undefined>
  find(id: string): Promise<StoredExecution | null>
  /** Ends an execution; the first end stays. */
  end(id: string, end: EndOfExecution): Promise<void>
  /** Whether the execution that a job belongs to was cancelled. */
  isCancelled(job: string): Promise<boolean>
  /** Those that have not ended. */
  unfinished(): Promise<StoredExecution[]>
  /** Executions after an id, the oldest first. */
  list(after: string, limit: number): Promise<StoredExecution[]>
  close(): Promise<void>
}

export function openStore(mongo: Mongo, artifacts: Artifacts, log: Log): Store {
  const executions = longWorkIn<BegunExecution, EndOfExecution>(mongo, 'executions')
  const records = openRecords(mongo, artifacts, log)
  return {
    create: (execution) => executions.begin(execution),
    record: records.add,
    async recorded(execution) {
      const ran = records.waiting(execution._id) !== undefined || (execution as Partial<RecordedExecution>).kept !== undefined
      return ran ? records.results(execution as Finished) : undefined
    },
    async find(id) {
      const waiting = records.waiting(id)
      if (waiting) return waiting
      const found = await executions.find(id)
      return found && { ...found.begun, ...found.end }
    },
    async end(id, end) {
      await executions.end(id, end)
    },
    async isCancelled(job) {
      const id = /^(exe_[^:]+):\d+$/.exec(job)?.[1]
      return id !== undefined && (await executions.ended(id))?.ended === 'cancelled'
    },
    unfinished: () => executions.open(),
    async list(after, limit) {
      await records.flush()
      return (await executions.list(after, limit)).map(({ begun, end }) => ({ ...begun, ...end }))
    },
    close: () => records.flush(),
  }
}
