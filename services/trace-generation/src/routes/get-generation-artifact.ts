import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'

export const getGenerationArtifact: Route<'getGenerationArtifact'> = async ({ params: { id, sha256 } }, { store, artifacts }) => {
  // Artifacts are shared by all services; only those of the generation are given away here.
  const bytes = (await store.hasArtifact(id, sha256)) ? await artifacts.get(sha256) : null
  if (!bytes) throw new ProblemError('not-found', `the generation ${id} has no artifact ${sha256}`)
  return { status: 200, body: bytes, etag: sha256 }
}
