import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { readyBenchmark } from '../resources.ts'

export const getBenchmarkArtifact: Route<'getBenchmarkArtifact'> = async ({ params: { id, sha256 } }, context) => {
  const { manifest } = await readyBenchmark(context, id)
  // Artifacts are shared by all services; only those of the folder are given away here.
  const bytes = manifest.files[`artifacts/${sha256}`] ? await context.artifacts.get(sha256) : null
  if (!bytes) throw new ProblemError('not-found', `the benchmark ${id} has no artifact ${sha256}`)
  return { status: 200, body: bytes, etag: sha256 }
}
