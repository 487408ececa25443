/** One in `n` of each kind, its first one always: a shorter run leaves out what repeats, and nothing else. */
export function thinned<T>(items: readonly T[], n: number, kindOf: (item: T) => string): T[] {
  const counts = new Map<string, number>()
  return items.filter((item) => {
    const kind = kindOf(item)
    const at = counts.get(kind) ?? 0
    counts.set(kind, at + 1)
    return at % n === 0
  })
}
