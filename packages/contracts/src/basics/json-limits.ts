/** JSON that values here cannot represent: unlimited nesting, and numbers without bound. */

/**
 * The maximum nesting of a body. Deeper values are walked by recursion, whose stack has room for several
 * times as much.
 */
export const mostLevels = 1000

/** The JSON pointer of the body's member that exceeds this depth, '' for a list; null if none does. */
export function findDeepMember(body: unknown): string | null {
  if (!isDeeperThan(body, mostLevels)) return null
  const [member] = Array.isArray(body)
    ? []
    : (Object.entries(body as object).find(([, value]) => isDeeperThan(value, mostLevels - 1)) ?? [])
  return member === undefined ? '' : `/${member}`
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1))
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

/** The JSON pointer of the first number outside a double's range, such as 1e999; null if there is none. */
export function findInfiniteNumber(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : ''
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) {
    // Loops by number: `in` makes a text of each index, which takes seconds for a long list.
    for (let n = 0; n < value.length; n++) {
      const within = findInfiniteNumber(value[n])
      if (within !== null) return `/${n}${within}`
    }
    return null
  }
  for (const key in value) {
    const within = findInfiniteNumber((value as Record<string, unknown>)[key])
    if (within !== null) return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${within}`
  }
  return null
}
