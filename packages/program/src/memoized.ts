/**
 * A function of objects that are never changed in place, with its newest answers kept: one value is asked
 * about by many steps, and then never again. Bounded, and without weak references, which keep the garbage
 * collector busy.
 *
 * What `find` is given besides has to follow from the object.
 */
export function memoize<K extends object, V, R extends unknown[]>(
  find: (key: K, ...rest: R) => V,
  maxEntries = 500,
): (key: K, ...rest: R) => V {
  const cache = new Map<K, V>()
  return (key, ...rest) => {
    const cachedValue = cache.get(key)
    if (cachedValue !== undefined) return cachedValue
    const value = find(key, ...rest)
    if (cache.size >= maxEntries) cache.clear()
    cache.set(key, value)
    return value
  }
}
