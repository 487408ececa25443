/**
 * Similarity of texts without a model: the cosine of their counts of three neighbouring characters.
 * Deterministic on any machine, and the default where no embeddings model is named.
 */

function countTrigrams(text: string): Map<string, number> {
  const padded = `  ${text.toLowerCase()} `
  const counts = new Map<string, number>()
  for (let at = 0; at + 3 <= padded.length; at++) {
    const part = padded.slice(at, at + 3)
    counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  return counts
}

const measureLength = (counts: ReadonlyMap<string, number>) =>
  Math.sqrt([...counts.values()].reduce((sum, count) => sum + count * count, 0))

function computeCosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let dot = 0
  for (const [part, count] of a) dot += count * (b.get(part) ?? 0)
  return dot / (measureLength(a) * measureLength(b))
}

/** A row for each text on the left, a column for each on the right; from 0 to 1. */
export function computeLexicalSimilarities(left: readonly string[], right: readonly string[]): number[][] {
  const columns = right.map(countTrigrams)
  return left.map(countTrigrams).map((row) => columns.map((column) => computeCosine(row, column)))
}
