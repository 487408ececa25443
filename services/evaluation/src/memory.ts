/** Things that never change, kept in memory for a while: the least recently used go first. */
export interface Memory {
  <T>(key: string, make: () => Promise<T>): Promise<T>
}

export interface Cached {
  cache: Memory
}

export function createMemory(most: number): Memory {
  const kept = new Map<string, Promise<unknown>>()
  return <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const known = kept.get(key) as Promise<T> | undefined
    const found = known ?? make()
    kept.delete(key)
    kept.set(key, found)
    if (!known) {
      // What could not be had is asked for again next time.
      found.catch(() => kept.delete(key))
      const oldest = kept.keys().next().value
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    }
    return found
  }
}
