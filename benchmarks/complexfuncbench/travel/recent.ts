/**
 * Keeps what was made of the last few seeds: an inventory is the same whenever it is drawn, so this changes
 * nothing but time.
 */
export function recent<T>(make: (seed: string) => T, maxEntries = 8): (seed: string) => T {
  const kept = new Map<string, T>()
  return (seed) => {
    let value = kept.get(seed)
    if (value === undefined) {
      value = make(seed)
      if (kept.size >= maxEntries) kept.delete(kept.keys().next().value!)
      kept.set(seed, value)
    }
    return value
  }
}
