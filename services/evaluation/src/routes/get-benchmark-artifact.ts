import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { readyBenchmark } from '../resources.ts'

export const getBenchmarkArtifact: Route<'getBenchmarkArtifact'> = async (
  { params: { id, sha256 } },
  context,
) => {
  const { manifest } = await readyBenchmark(context, id)
  // Artifacts are shared by all services; only those of the folder are given away here.
  if (!manifest.files[`artifacts/${sha256}`])
    throw new ProblemError('not-found', `the benchmark ${id} has no artifact ${sha256}`)
  const bytes = await context.artifacts.get(sha256)
  if (!bytes)
    throw new ProblemError(
      'not-found',
      `the artifact ${sha256}, which the manifest of ${id} names, is not stored here any more; import its folder again`,
    )
  return { status: 200, body: bytes, etag: sha256 }
}
