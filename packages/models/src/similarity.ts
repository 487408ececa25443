/** Similarity of texts, from the vectors of an embeddings model. */

/** The vector in an embeddings model's answer; null if there is none, or if its numbers are too large. */
export function vectorIn(text: string): number[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every(Number.isFinite) ? value : null
  } catch {
    return null
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (const [at, value] of a.entries()) sum += value * (b[at] ?? 0)
  return sum
}

/**
 * The vector with its length 1; null where it has no direction. Large and small numbers are scaled before
 * they are squared.
 */
function unitOf(vector: readonly number[]): number[] | null {
  const largest = vector.reduce((size, value) => Math.max(size, Math.abs(value)), 0)
  if (largest === 0) return null
  const scaled = vector.map((value) => value / largest)
  const length = Math.sqrt(dot(scaled, scaled))
  return scaled.map((value) => value / length)
}

/**
 * Cosine similarities, from -1 to 1; 0 if a vector has length 0. One row per text on the left, one column
 * per text on the right.
 */
export function similarities(
  left: readonly (readonly number[])[],
  right: readonly (readonly number[])[],
): number[][] {
  const others = right.map(unitOf)
  return left
    .map(unitOf)
    .map((one) => others.map((other) => (one && other ? Math.max(-1, Math.min(1, dot(one, other))) : 0)))
}
