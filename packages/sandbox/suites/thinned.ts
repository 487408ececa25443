/** One in `n` of each kind, its first one always: a shorter run leaves out what repeats, and nothing else. */
export function thinned<T>(items: readonly T[], n: number, kindOf: (item: T) => string): T[] {
  const seen = new Map<string, number>()
  return items.filter((item) => {
    const kind = kindOf(item)
    const at = seen.get(kind) ?? 0
    seen.set(kind, at + 1)
    return at % n === 0
  })
}
