/** Similarity of texts, from the vectors of an embeddings model. */

/** The vector in an embeddings model's answer; null if there is none, or if its numbers are too large. */
export function parseVector(text: string): number[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every(Number.isFinite) ? value : null
  } catch {
    return null
  }
}

function computeDot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (const [at, value] of a.entries()) sum += value * b[at]!
  return sum
}

/**
 * The vector with its length 1; null where it has no direction. Large and small numbers are scaled before
 * they are squared.
 */
function normalizeUnit(vector: readonly number[]): number[] | null {
  const largest = vector.reduce((size, value) => Math.max(size, Math.abs(value)), 0)
  if (largest === 0) return null
  const scaled = vector.map((value) => value / largest)
  const length = Math.sqrt(computeDot(scaled, scaled))
  return scaled.map((value) => value / length)
}

/** Vectors that have no similarities, with the reason as a sentence: they are never compared as they are. */
export class IncomparableVectors extends Error {}

/**
 * Cosine similarities, from -1 to 1: one row per text on the left, one column per text on the right.
 *
 * @throws IncomparableVectors where the vectors differ in length, or one of them is zero
 */
export function computeSimilarities(
  left: readonly (readonly number[])[],
  right: readonly (readonly number[])[],
): number[][] {
  const lengths = [...new Set([...left, ...right].map(({ length }) => length))]
  if (lengths.length > 1)
    throw new IncomparableVectors(
      `the vectors have different lengths: ${lengths.slice(0, 5).join(', ')} numbers`,
    )
  const unit = (vector: readonly number[]): number[] => {
    const one = normalizeUnit(vector)
    if (!one) throw new IncomparableVectors('a vector consists of zeros')
    return one
  }
  const others = right.map(unit)
  return left.map(unit).map((one) => others.map((other) => Math.max(-1, Math.min(1, computeDot(one, other)))))
}
