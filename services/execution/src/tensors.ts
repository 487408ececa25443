/** Values of inputs that are stored as artifacts. */
import { type ExecutionInput, ProblemError } from '@stateeval/contracts'
import { listArtifacts, resolveTensors } from '@stateeval/program'
import type { ArtifactCache } from '@stateeval/service-kit'

export const createUnusableTensor = (says: string) =>
  new ProblemError(
    'unprocessable',
    `${says}; import the benchmark that names it again, or send the values as data`,
    '/inputs',
  )

/** The inputs, with the values of tensors that are stored as artifacts. */
export async function withTensors(
  inputs: ExecutionInput[],
  artifactCache: ArtifactCache,
): Promise<ExecutionInput[]> {
  const hashes = listArtifacts(inputs)
  if (hashes.length === 0) return inputs
  const files = await artifactCache.load(hashes)
  const resolved = resolveTensors(inputs, (hash) => files.get(hash))
  if (resolved.ok) return resolved.value
  throw createUnusableTensor(resolved.says)
}
