/**
 * The same figures taken in several rounds: the median of each, so that what happens once on a shared machine
 * decides nothing.
 */

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

/**
 * One for each key, in order of appearance, with the median of each number, and how far all of them lie apart
 * in `field`.
 */
export function medians<T extends object>(
  all: readonly T[],
  keyOf: (one: T) => string,
  field: keyof T,
): (T & { spread: number })[] {
  return Object.values(Object.groupBy(all, keyOf)).map((group) => {
    const same = group!
    const of = (name: keyof T) => same.map((one) => one[name] as number)
    const figures = same[0] as Record<string, unknown>
    const mergedEntries = Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === 'number' ? median(of(name as keyof T)) : value,
    ])
    return {
      ...(Object.fromEntries(mergedEntries) as T),
      spread: Math.max(...of(field)) - Math.min(...of(field)),
    }
  })
}
