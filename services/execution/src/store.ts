/** The only file that knows MongoDB: executions that were asked for over HTTP. Their results are outcomes of jobs. */
import type { JobStatus } from '@stateeval/contracts'
import { isDuplicate, type Mongo } from '@stateeval/service-kit'

export interface StoredExecution {
  _id: string
  /** Once ended, it stays as it is. Running or queued is read off the outcomes. */
  ended?: Extract<JobStatus, 'succeeded' | 'failed' | 'cancelled'>
  total: number
  createdAt: Date
  finishedAt?: Date
  error?: string
  batch: boolean
  /** What to run, for asking again: the artifact of the requests, in their order. */
  requests: string
}
/** The job of the n-th program of an execution. */
export const jobOf = (execution: string, n: number) => `${execution}:${n}`

export interface Store {
  /** Stores an execution unless it exists, and gives the stored one. */
  create(execution: StoredExecution): Promise<StoredExecution>
  find(id: string): Promise<StoredExecution | null>
  /** Ends an execution; the first end stays. */
  end(id: string, change: Pick<StoredExecution, 'ended' | 'error' | 'finishedAt'>): Promise<void>
  /** Whether the execution that a job belongs to was cancelled. */
  isCancelled(job: string): Promise<boolean>
  unfinished(): Promise<StoredExecution[]>
  /** Executions after an id, the oldest first. */
  list(after: string, limit: number): Promise<StoredExecution[]>
}

export function openStore(mongo: Mongo): Store {
  const executions = mongo.collection<StoredExecution>('executions')
  return {
    async create(execution) {
      try {
        await executions.insertOne(execution)
        return execution
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return (await executions.findOne({ _id: execution._id })) as StoredExecution
      }
    },
    find: (id) => executions.findOne({ _id: id }),
    async end(id, change) {
      await executions.updateOne({ _id: id, ended: { $exists: false } }, { $set: change })
    },
    async isCancelled(job) {
      const id = /^(exe_[^:]+):\d+$/.exec(job)?.[1]
      return id !== undefined && (await executions.findOne({ _id: id }, { projection: { ended: 1 } }))?.ended === 'cancelled'
    },
    unfinished: () => executions.find({ ended: { $exists: false } }).toArray(),
    list: (after, limit) =>
      executions
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
  }
}
