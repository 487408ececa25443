/** Sets of test cases as files: cases, artifacts, coverage. */
import { ProblemError } from '@stateeval/contracts'
import { formatManifest } from '@stateeval/program'
import type { ProjectArtifacts } from '@stateeval/service-kit'
import { computeCoverage, type CoverageSources, computeRoundTrip } from '../coverage.ts'
import type { BenchmarkSets } from '../sets.ts'
import {
  requireBenchmark,
  type OwnerSource,
  requireReadyBenchmark,
  type EvaluationRoute,
} from '@stateeval/jobs'

interface SetSource extends OwnerSource {
  sets: BenchmarkSets
}

export const getBenchmarkFile: EvaluationRoute<'getBenchmarkFile', SetSource> = async (
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

export const getBenchmarkArtifact: EvaluationRoute<
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

export const getBenchmarkCoverage: EvaluationRoute<
  'getBenchmarkCoverage',
  OwnerSource & CoverageSources
> = async ({ params: { id } }, context) => ({
  status: 200,
  body: await computeCoverage(context, await requireBenchmark(context, id)),
})

export const getBenchmarkRoundTrip: EvaluationRoute<
  'getBenchmarkRoundTrip',
  OwnerSource & CoverageSources
> = async ({ params: { id } }, context) => ({
  status: 200,
  body: await computeRoundTrip(context, await requireReadyBenchmark(context, id)),
})
