/** An in-memory cache of immutable values: the least recently used are evicted first. */
import { LRUCache } from 'lru-cache'
import { qualifyName } from './access/project.ts'

export interface PromiseCache {
  <T>(key: string, make: () => Promise<T>): Promise<T>
}

export interface CacheHolder {
  cache: PromiseCache
}

/** Keeps at most `max` values. Each project has separate keys. */
export function createMemory(max: number): PromiseCache {
  const values = new LRUCache<string, Promise<unknown>>({ max })
  return <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const key = qualifyName(name)
    const cachedValue = values.get(key) as Promise<T> | undefined
    if (cachedValue) return cachedValue
    const value = make()
    values.set(key, value)
    // A value that could not be made is made anew the next time.
    value.catch(() => {
      if (values.peek(key) === value) values.delete(key)
    })
    return value
  }
}
