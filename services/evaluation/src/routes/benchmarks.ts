/** Sets of test cases: listed, returned as files, cancelled and deleted. */
import { ProblemError } from '@stateeval/contracts'
import { formatManifest } from '@stateeval/program'
import { type ProjectArtifacts, buildPage } from '@stateeval/service-kit'
import { computeCoverage, type CoverageSources, computeRoundTrip } from '../owners/coverage.ts'
import { isEnded } from '../owners/owner.ts'
import { type RemovalParts, removeBenchmark } from '../owners/removal.ts'
import type { BenchmarkSets } from '../owners/sets.ts'
import type { ResourceReader } from '../owners/stage.ts'
import { requireBenchmark, type OwnerSource, requireReadyBenchmark } from './existing.ts'
import { describeBenchmark } from './resources.ts'
import type { OperationRoute } from './route.ts'

type BenchmarkReader = OwnerSource & ResourceReader
interface SetSource extends OwnerSource {
  sets: BenchmarkSets
}

export const listBenchmarks: OperationRoute<'listBenchmarks', BenchmarkReader> = async (
  { query: { limit = 50, cursor } },
  context,
) => {
  const { items, ...rest } = buildPage(await context.owners.page('benchmark', cursor, limit + 1), limit)
  const resources = await Promise.all(items.map((owner) => describeBenchmark(context, owner)))
  return { status: 200, body: { items: resources, ...rest } }
}

export const getBenchmark: OperationRoute<'getBenchmark', BenchmarkReader> = async ({ params }, context) => ({
  status: 200,
  body: await describeBenchmark(context, await requireBenchmark(context, params.id)),
})

export const getBenchmarkFile: OperationRoute<'getBenchmarkFile', SetSource> = async (
  { params: { id, file } },
  context,
) => {
  const { manifest } = await requireReadyBenchmark(context, id)
  if (file === 'manifest.json') return { status: 200, body: formatManifest(manifest), etag: manifest.digest }
  const etag = manifest.files[file] ?? manifest.digest
  if (file === 'README.md') return { status: 200, body: await context.sets.readme(id), etag }
  async function* lines() {
    for (let n = 0; n < manifest.counts.kept; n++) yield `${await context.sets.line(id, n)}\n`
  }
  return { status: 200, body: lines(), etag }
}

export const getBenchmarkArtifact: OperationRoute<
  'getBenchmarkArtifact',
  OwnerSource & { artifacts: ProjectArtifacts }
> = async ({ params: { id, sha256 } }, context) => {
  const { manifest } = await requireReadyBenchmark(context, id)
  // Artifacts are shared by all services; only those of the folder are given away here.
  if (!manifest.files[`artifacts/${sha256}`])
    throw new ProblemError('not-found', `the benchmark ${id} has no artifact ${sha256}`)
  const bytes = await context.artifacts.get(sha256)
  if (!bytes)
    throw new ProblemError(
      'not-found',
      `the artifact ${sha256}, which the manifest of ${id} names, is no longer stored; import its folder again`,
    )
  return { status: 200, body: bytes, etag: sha256 }
}

export const getBenchmarkCoverage: OperationRoute<
  'getBenchmarkCoverage',
  OwnerSource & CoverageSources
> = async ({ params: { id } }, context) => ({
  status: 200,
  body: await computeCoverage(context, await requireBenchmark(context, id)),
})

export const getBenchmarkRoundTrip: OperationRoute<
  'getBenchmarkRoundTrip',
  OwnerSource & CoverageSources
> = async ({ params: { id } }, context) => ({
  status: 200,
  body: await computeRoundTrip(context, await requireReadyBenchmark(context, id)),
})

export const cancelBenchmark: OperationRoute<'cancelBenchmark', BenchmarkReader> = async (
  { params: { id } },
  context,
) => {
  await requireBenchmark(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await describeBenchmark(context, await requireBenchmark(context, id)) }
}

export const deleteBenchmark: OperationRoute<'deleteBenchmark', OwnerSource & RemovalParts> = async (
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
