/** Owners that a request names. A problem reports a missing owner, or one that is not ready. */
import { type Manifest, ProblemError } from '@stateeval/contracts'
import { type BenchmarkOwner, type EvaluationOwner, isEnded } from './owner.ts'
import type { OwnerStore } from './owners.ts'

/** The store of owners. */
export interface OwnerSource {
  owners: OwnerStore
}

const describeEnd = (status: string) => (status === 'cancelled' ? 'was cancelled' : `has ${status}`)

export async function requireBenchmark({ owners }: OwnerSource, id: string): Promise<BenchmarkOwner> {
  const owner = await owners.benchmark(id)
  if (!owner)
    throw new ProblemError(
      'not-found',
      `there is no benchmark ${JSON.stringify(id)}; GET /v1/benchmarks lists them`,
    )
  return owner
}
/** A benchmark whose set is ready. */
export async function requireReadyBenchmark(
  context: OwnerSource,
  id: string,
): Promise<BenchmarkOwner & { manifest: Manifest }> {
  const owner = await requireBenchmark(context, id)
  const { status, manifest, error } = owner
  if (status === 'succeeded' && manifest) return { ...owner, manifest }
  throw new ProblemError(
    'conflict',
    isEnded(owner)
      ? `the benchmark ${id} ${describeEnd(status)}${error ? `: ${error}` : ''}`
      : `the benchmark ${id} is still being built; wait until its status is succeeded`,
  )
}
export async function requireEvaluation({ owners }: OwnerSource, id: string): Promise<EvaluationOwner> {
  const owner = await owners.evaluation(id)
  if (!owner)
    throw new ProblemError(
      'not-found',
      `there is no evaluation ${JSON.stringify(id)}; GET /v1/evaluations lists them`,
    )
  return owner
}

/** An evaluation whose report is ready. */
export async function requireEndedEvaluation(
  context: OwnerSource,
  id: string,
): Promise<EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> }> {
  const owner = await requireEvaluation(context, id)
  const { ended, status, error } = owner
  if (ended) return { ...owner, ended }
  throw new ProblemError(
    'conflict',
    status === 'running' || status === 'queued'
      ? `the evaluation ${id} is still running; wait until its status is succeeded`
      : `the evaluation ${id} ${describeEnd(status)}${error ? `: ${error}` : `; resume it: POST /v1/evaluations/${id}/resume`}`,
  )
}
