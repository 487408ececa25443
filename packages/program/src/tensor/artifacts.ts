/** Tensors in artifacts: files by content address, and values whose tensors name such files. */
import type { TensorValue } from '@stateeval/contracts'
import { sha256 } from '@stateeval/contracts'
import { readSafetensors, type StoredTensor, writeSafetensors } from './safetensors.ts'
import { findNumberFaults, isTensorLike, type TensorOfArtifact, createTensor } from './value.ts'

/** The name of the one tensor in a file. */
const nameInFile = 'tensor'

/** The bytes of files, by their SHA-256. */
export type ArtifactBytes = Record<string, Uint8Array>

/** A tensor as a value that names its file, together with the file. */
export function toArtifact(tensor: StoredTensor): {
  value: TensorOfArtifact
  sha256: string
  file: Uint8Array
} {
  const file = writeSafetensors({ [nameInFile]: tensor })
  const artifact = sha256(file)
  return {
    value: { $tensor: { dtype: tensor.dtype, shape: [...tensor.shape], artifact } },
    sha256: artifact,
    file,
  }
}

/**
 * Every artifact that the tensors in a value name (a program, an input, a case), without duplicates, in
 * order of appearance.
 */
export function listArtifacts(value: unknown): string[] {
  const addresses = new Set<string>()
  const stack: unknown[] = [value]
  for (let now = stack.pop(); stack.length > 0 || now !== undefined; now = stack.pop()) {
    if (now === null || typeof now !== 'object') continue
    if (isTensorLike(now)) {
      // Readers of a tensor refuse one that breaks the contract.
      const artifact = (now.$tensor as { artifact?: unknown } | null)?.artifact
      if (typeof artifact === 'string') addresses.add(artifact)
    } else for (const item of Object.values(now).reverse()) stack.push(item)
  }
  return [...addresses]
}

type ArtifactResolution<T> = { ok: true; value: T } | { ok: false; artifact: string; says: string }

/**
 * Replaces artifacts by the values of their tensors. `find` gives a file by its address; a missing one, a
 * file of another content or another shape than the value says, or with NaN or infinities, is an outcome,
 * told with its address.
 */
export function resolveTensors<T>(
  value: T,
  find: (sha256: string) => Uint8Array | undefined,
): ArtifactResolution<T> {
  let fault: { artifact: string; says: string } | null = null
  const bad = (artifact: string, what: string) =>
    void (fault ??= { artifact, says: `the artifact ${artifact} ${what}` })
  const load = ({ dtype, shape, artifact }: TensorOfArtifact['$tensor']): unknown => {
    const file = find(artifact)
    if (!file) return bad(artifact, 'is missing')
    if (sha256(file) !== artifact) return bad(artifact, 'has content that does not match its address')
    const contents = readSafetensors(file)
    if (!contents.ok) return bad(artifact, `is ${contents.says}`)
    const tensor = contents.tensors[nameInFile]
    if (!tensor) return bad(artifact, `contains no tensor named ${nameInFile}`)
    // A value may name anything as its shape.
    const shapeText = `${JSON.stringify(shape)}`
    if (tensor.dtype !== dtype || JSON.stringify(tensor.shape) !== shapeText)
      return bad(
        artifact,
        `contains a ${tensor.dtype} tensor of shape [${tensor.shape.join(', ')}], not ${dtype} of ${shapeText.replaceAll(',', ', ')}`,
      )
    const wrong = findNumberFaults(dtype, tensor.bytes)
    if (wrong !== null) return bad(artifact, wrong)
    return createTensor(dtype, shape, tensor.bytes)
  }
  const walk = (now: unknown): unknown => {
    if (now === null || typeof now !== 'object') return now
    if (isTensorLike(now)) {
      const { $tensor } = now as TensorValue
      return $tensor !== null && typeof $tensor === 'object' && 'artifact' in $tensor ? load($tensor) : now
    }
    if (Array.isArray(now)) return now.map(walk)
    return Object.fromEntries(Object.entries(now).map(([key, item]) => [key, walk(item)]))
  }
  const resolvedValue = walk(value) as T
  return fault === null
    ? { ok: true, value: resolvedValue }
    : { ok: false, ...(fault as { artifact: string; says: string }) }
}
