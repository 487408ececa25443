/**
 * Keeps what was made of the last few seeds: an inventory is the same whenever it is drawn, so this changes
 * nothing but time.
 */
export function keepRecent<T>(make: (seed: string) => T, maxEntries = 8): (seed: string) => T {
  const values = new Map<string, T>()
  return (seed) => {
    let value = values.get(seed)
    if (value === undefined) {
      value = make(seed)
      if (values.size >= maxEntries) values.delete(values.keys().next().value!)
      values.set(seed, value)
    }
    return value
  }
}
