/** Sets of test cases: listed, cancelled and deleted. */
import { ProblemError } from '@stateeval/contracts'
import { buildPage } from '@stateeval/service-kit'
import { isEnded } from '../owner.ts'
import { type RemovalParts, removeBenchmark } from '../removal.ts'
import type { ResourceReader } from '../stage.ts'
import { requireBenchmark, type OwnerSource } from '../existing.ts'
import { describeBenchmark } from '../resources.ts'
import type { EvaluationRoute } from '../route.ts'

type BenchmarkReader = OwnerSource & ResourceReader

export const listBenchmarks: EvaluationRoute<'listBenchmarks', BenchmarkReader> = async (
  { query: { limit = 50, cursor } },
  context,
) => {
  const { items, ...rest } = buildPage(await context.owners.page('benchmark', cursor, limit + 1), limit)
  const resources = await Promise.all(items.map((owner) => describeBenchmark(context, owner)))
  return { status: 200, body: { items: resources, ...rest } }
}

export const getBenchmark: EvaluationRoute<'getBenchmark', BenchmarkReader> = async (
  { params },
  context,
) => ({
  status: 200,
  body: await describeBenchmark(context, await requireBenchmark(context, params.id)),
})

export const cancelBenchmark: EvaluationRoute<'cancelBenchmark', BenchmarkReader> = async (
  { params: { id } },
  context,
) => {
  await requireBenchmark(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await describeBenchmark(context, await requireBenchmark(context, id)) }
}

export const deleteBenchmark: EvaluationRoute<'deleteBenchmark', OwnerSource & RemovalParts> = async (
  { params: { id } },
  context,
) => {
  if (!isEnded(await requireBenchmark(context, id)))
    throw new ProblemError('conflict', `the benchmark ${id} is being built; cancel it first`)
  const running = await removeBenchmark(context, id)
  if (running !== null)
    throw new ProblemError('conflict', `the evaluation ${running} uses the benchmark ${id}; cancel it first`)
  return { status: 204 }
}
