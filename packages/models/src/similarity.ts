/** How similar texts are, by the vectors of an embeddings model. */

/** The vector that an answer of an embeddings model holds; null where it holds none. */
export function vectorIn(text: string): number[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((part) => typeof part === 'number') ? value : null
  } catch {
    return null
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (const [at, value] of a.entries()) sum += value * (b[at] ?? 0)
  return sum
}

/** Cosine similarity, from -1 to 1; 0 where a vector has no direction. */
function cosine(a: readonly number[], b: readonly number[]): number {
  const lengths = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b))
  return lengths === 0 ? 0 : Math.max(-1, Math.min(1, dot(a, b) / lengths))
}

/** A row for each text on the left, a column for each on the right. */
export const similarities = (
  left: readonly (readonly number[])[],
  right: readonly (readonly number[])[],
): number[][] => left.map((one) => right.map((other) => cosine(one, other)))
