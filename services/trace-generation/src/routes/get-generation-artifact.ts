import { ProblemError } from '@stateeval/contracts'
import type { TraceRoute } from './route.ts'

export const getGenerationArtifact: TraceRoute<'getGenerationArtifact'> = async (
  { params: { id, sha256 } },
  { store, artifacts },
) => {
  // Artifacts are shared by all services; only those of the generation are given away here.
  if (!(await store.hasArtifact(id, sha256)))
    throw new ProblemError('not-found', `the generation ${id} has no artifact ${sha256}`)
  const bytes = await artifacts.get(sha256)
  if (!bytes)
    throw new ProblemError(
      'not-found',
      `the artifact ${sha256} of the generation ${id} is no longer stored; generate with the same options again`,
    )
  return { status: 200, body: bytes, etag: sha256 }
}
