/**
 * Client of StateEval: build benchmarks, evaluate models, read reports. `createClient` with one of the
 * tables of operations talks to any of the five services; `connect` is the way to the public one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { awayStatuses, createClient, ServiceError, UnreachableError } from '@stateeval/client'
import {
  type BenchmarkResource,
  type BuildRequest,
  type EvaluationRequest,
  type EvaluationResource,
  evaluationOperations,
  type Report,
} from '@stateeval/contracts'

export * from '@stateeval/client'
export * from '@stateeval/contracts'

type Job = Pick<EvaluationResource, 'id' | 'status' | 'progress' | 'error'>

interface WaitOptions {
  /** Called at every look, about once a second. */
  progress?: (progress: Job['progress']) => void
  signal?: AbortSignal
}

/** A build or an evaluation failed or was cancelled. */
export class JobError extends Error {
  override readonly name = 'JobError'
  readonly job: Job
  constructor(job: Job) {
    super(`${job.id} ${job.status}${job.error === undefined ? '' : `: ${job.error}`}`)
    this.job = job
  }
}

/**
 * Connects to the evaluation service.
 * @param url where it is, such as http://127.0.0.1:7400
 * @param key an API key or a token, where the service asks for one
 */
export function connect({ url, key }: { url: string; key?: string }) {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const api = createClient(evaluationOperations, { baseUrl: url, headers })
  return {
    /** Every operation of the service. */
    api,
    /** Builds a benchmark and resolves once it is complete; rejects with JobError where it is not. */
    async build(request: BuildRequest, options: WaitOptions = {}): Promise<BenchmarkResource> {
      const { id } = await api.createBenchmark({ body: { build: request } })
      return ended(() => api.getBenchmark({ params: { id } }), options)
    },
    /**
     * Evaluates a model and resolves once the evaluation has ended; rejects with JobError where it
     * did not succeed.
     */
    async evaluate(request: EvaluationRequest, options: WaitOptions = {}): Promise<EvaluationResource> {
      const { id } = await api.createEvaluation({ body: request })
      return ended(() => api.getEvaluation({ params: { id } }), options)
    },
    /** The report of an evaluation; of one that runs, of the samples that have ended. */
    async report(id: string): Promise<Report> {
      return api.getEvaluationReport({ params: { id } })
    },
  }
}

const isAway = (error: unknown) =>
  error instanceof UnreachableError ||
  (error instanceof ServiceError && awayStatuses.has(error.problem.status))

/** Asks until the job has ended. A service that is away for less than a minute does not end the wait. */
async function ended<T extends Job>(get: () => Promise<T>, { progress, signal }: WaitOptions): Promise<T> {
  let answeredAt = Date.now()
  for (let pause = 100; ; pause = Math.min(1000, pause * 1.3)) {
    const job = await get().catch((error: unknown) => {
      if (isAway(error) && Date.now() - answeredAt < 60_000) return null
      throw error
    })
    if (job !== null) {
      answeredAt = Date.now()
      progress?.(job.progress)
      if (job.status === 'succeeded') return job
      if (job.status === 'failed' || job.status === 'cancelled') throw new JobError(job)
    }
    await sleep(pause, undefined, signal ? { signal } : {})
  }
}
