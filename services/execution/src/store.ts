/**
 * The only file that knows MongoDB: executions requested over HTTP. Their results are outcomes of jobs;
 * small results of programs that ran in place are stored within the execution.
 */
import type { JobStatus } from '@stateeval/contracts'
import { type DocumentInsertion, openLongWork, type MongoStore, type OpenWork } from '@stateeval/service-kit'

interface BegunExecution {
  _id: string
  total: number
  createdAt: Date
  batch: boolean
  /**
   * The requests in their order, for asking again: as JSON text where they are small, otherwise their
   * artifact. Both are absent if it ran before it was stored.
   */
  text?: string
  requests?: string
  /** The packed results of its programs as one JSON text, where it ran in place and they are small. */
  results?: string
}
export interface EndOfExecution {
  ended: Extract<JobStatus, 'succeeded' | 'failed' | 'cancelled'>
  finishedAt: Date
  error?: string
  /** Size of all as JSON, where it succeeded. */
  resultBytes?: number
}
/** An execution as stored. Its outcomes tell whether it is running or queued, and hold the results. */
export type StoredExecution = BegunExecution & Partial<EndOfExecution>
/** The job of the n-th program of an execution. */
export const formatProgramJob = (execution: string, n: number) => `${execution}:${n}`

export interface ExecutionStore {
  /** Counts an execution as open before it is stored; false where it is counted already. */
  announce(id: string, at: Date): Promise<boolean>
  takeBack(id: string): Promise<void>
  dropAnnounced(before: Date): Promise<void>
  openCount(): Promise<number>
  /** Stores an execution unless it exists, and gives the stored one. */
  create(execution: BegunExecution): Promise<StoredExecution>
  /** How an execution is stored that has ended already, with its results, or after them. */
  recordOf(execution: BegunExecution & EndOfExecution): DocumentInsertion
  find(id: string): Promise<StoredExecution | null>
  /** Ends an execution; the first end stays. */
  end(id: string, end: EndOfExecution): Promise<void>
  /**
   * Turns a success that was stored in one piece into a failure, without its results; false if it is not
   * stored.
   */
  refute(id: string, error: string): Promise<boolean>
  /** Tells whether the execution that a job belongs to was cancelled. */
  isCancelled(job: string): Promise<boolean>
  /** Lists executions that have not ended, about in the order in which they were asked for. */
  unfinished(): AsyncIterable<OpenWork<StoredExecution>>
  /** Executions after an id, the oldest first. */
  list(after: string, limit: number): Promise<StoredExecution[]>
}

export function openStore(mongo: MongoStore): ExecutionStore {
  const executions = openLongWork<BegunExecution, EndOfExecution>(mongo, 'executions', {
    unlisted: ['text', 'results'],
  })
  const collection = mongo.collection<BegunExecution & EndOfExecution>('executions')
  return {
    announce: (id, at) => executions.announce(id, at),
    dropAnnounced: (before) => executions.dropAnnounced(before),
    takeBack: (id) => executions.takeBack(id),
    openCount: () => executions.openCount(),
    create: (execution) => executions.begin(execution),
    // One that has ended before it is stored is one document.
    recordOf: (document) => ({ collection, document }),
    async find(id) {
      const work = await executions.find(id)
      return work && { ...work.start, ...work.end }
    },
    async end(id, end) {
      await executions.end(id, end)
    },
    refute: async (id, error) =>
      (
        await collection.updateOne(
          { _id: id },
          { $set: { ended: 'failed', error }, $unset: { results: '', resultBytes: '' } },
        )
      ).matchedCount > 0,
    async isCancelled(job) {
      const id = /^(exe_[^:]+):\d+$/.exec(job)?.[1]
      return id !== undefined && (await executions.ended(id))?.ended === 'cancelled'
    },
    unfinished: () => executions.inTurn(),
    list: async (after, limit) =>
      (await executions.list(after, limit)).map(({ start, end }) => ({ ...start, ...end })),
  }
}
