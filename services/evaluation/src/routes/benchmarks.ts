/** Sets of test cases: listed, returned as files, cancelled and deleted. */
import { ProblemError } from '@stateeval/contracts'
import { manifestFile } from '@stateeval/program'
import { type Artifacts, pageOf } from '@stateeval/service-kit'
import { coverageOf, type CoverageSources, roundTripOf } from '../owners/coverage.ts'
import { isEnded } from '../owners/owner.ts'
import { type RemovalParts, removeBenchmark } from '../owners/removal.ts'
import type { Sets } from '../owners/sets.ts'
import type { ResourceReader } from '../owners/stage.ts'
import { existingBenchmark, type OwnerSource, readyBenchmark } from './existing.ts'
import { benchmarkResource } from './resources.ts'
import type { Route } from './route.ts'

type Shown = OwnerSource & ResourceReader
interface SetSource extends OwnerSource {
  sets: Sets
}

export const listBenchmarks: Route<'listBenchmarks', Shown> = async (
  { query: { limit = 50, cursor } },
  context,
) => {
  const { items, ...rest } = pageOf(await context.owners.page('benchmark', cursor, limit + 1), limit)
  const resources = await Promise.all(items.map((owner) => benchmarkResource(context, owner)))
  return { status: 200, body: { items: resources, ...rest } }
}

export const getBenchmark: Route<'getBenchmark', Shown> = async ({ params }, context) => ({
  status: 200,
  body: await benchmarkResource(context, await existingBenchmark(context, params.id)),
})

export const getBenchmarkFile: Route<'getBenchmarkFile', SetSource> = async (
  { params: { id, file } },
  context,
) => {
  const { manifest } = await readyBenchmark(context, id)
  if (file === 'manifest.json') return { status: 200, body: manifestFile(manifest), etag: manifest.digest }
  const etag = manifest.files[file] ?? manifest.digest
  if (file === 'README.md') return { status: 200, body: await context.sets.readme(id), etag }
  async function* lines() {
    for (let n = 0; n < manifest.counts.kept; n++) yield `${await context.sets.line(id, n)}\n`
  }
  return { status: 200, body: lines(), etag }
}

export const getBenchmarkArtifact: Route<
  'getBenchmarkArtifact',
  OwnerSource & { artifacts: Artifacts }
> = async ({ params: { id, sha256 } }, context) => {
  const { manifest } = await readyBenchmark(context, id)
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

export const getBenchmarkCoverage: Route<'getBenchmarkCoverage', OwnerSource & CoverageSources> = async (
  { params: { id } },
  context,
) => ({ status: 200, body: await coverageOf(context, await existingBenchmark(context, id)) })

export const getBenchmarkRoundTrip: Route<'getBenchmarkRoundTrip', OwnerSource & CoverageSources> = async (
  { params: { id } },
  context,
) => ({ status: 200, body: await roundTripOf(context, await readyBenchmark(context, id)) })

export const cancelBenchmark: Route<'cancelBenchmark', Shown> = async ({ params: { id } }, context) => {
  await existingBenchmark(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await benchmarkResource(context, await existingBenchmark(context, id)) }
}

export const deleteBenchmark: Route<'deleteBenchmark', OwnerSource & RemovalParts> = async (
  { params: { id } },
  context,
) => {
  if (!isEnded(await existingBenchmark(context, id)))
    throw new ProblemError('conflict', `the benchmark ${id} is being built; cancel it first`)
  const running = await removeBenchmark(context, id)
  if (running !== null)
    throw new ProblemError('conflict', `the evaluation ${running} uses the benchmark ${id}; cancel it first`)
  return { status: 204 }
}
