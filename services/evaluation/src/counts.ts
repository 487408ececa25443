/** Counts by name, in the order of the names. */
type Counts = Record<string, number>

export function countBy<T>(items: readonly T[], nameOf: (item: T) => string): Counts {
  return addCounts(items.map((item) => ({ [nameOf(item)]: 1 })))
}

export function addCounts(all: readonly (Counts | undefined)[]): Counts {
  const sums = new Map<string, number>()
  for (const counts of all)
    for (const [name, count] of Object.entries(counts ?? {})) sums.set(name, (sums.get(name) ?? 0) + count)
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
}
