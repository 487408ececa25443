/** Things that never change, kept in memory for a while: the least recently used go first. */
export interface Memory {
  <T>(key: string, make: () => Promise<T>): Promise<T>
}

export interface Cached {
  cache: Memory
}

/** Keeps at most `max` values. */
export function createMemory(max: number): Memory {
  const values = new Map<string, Promise<unknown>>()
  return <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const cachedValue = values.get(key) as Promise<T> | undefined
    const value = cachedValue ?? make()
    values.delete(key)
    values.set(key, value)
    if (!cachedValue) {
      // What could not be made is asked for again next time.
      value.catch(() => values.delete(key))
      const oldest = values.keys().next().value
      if (values.size > max && oldest !== undefined) values.delete(oldest)
    }
    return value
  }
}
