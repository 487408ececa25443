/** The canonical form of a model, and the digest by which programs and services name it. */
import { canonicalJson, sha256 } from '@stateeval/contracts'
import type { WorldModel } from './model.ts'

/**
 * The canonical text of what a model predicts. Reasons are no part of it: a fact that one more probe
 * confirms leaves the benchmarks of the world as they are.
 */
function formatCanonicalModel({ facts: _, ...behaviour }: WorldModel): string {
  return canonicalJson({ ...behaviour, facts: {} })
}

export const computeModelDigest = (model: WorldModel) => `sha256:${sha256(formatCanonicalModel(model))}`
