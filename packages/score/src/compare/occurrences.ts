/**
 * How often each created id occurs in a value, and whether pairing the value with another affects anything
 * else.
 */
import type { WorldState } from '@stateeval/contracts'
import type { IdTable } from './ids.ts'

/** One run: its ids, and how often each occurs in RESULT, state and the last contents of deleted items. */
export interface RunSide {
  ids: IdTable
  total: ReadonlyMap<string, number>
}

/**
 * Counts created ids in a value; stops descending at nothing, so the value must have passed the size limit.
 */
function countOccurrences(
  value: unknown,
  ids: IdTable,
  counts = new Map<string, number>(),
): Map<string, number> {
  const count = (text: string) => {
    for (const [index, part] of ids.split(text).entries()) {
      if (index % 2 && ids.info(part)?.kind === 'created') counts.set(part, (counts.get(part) ?? 0) + 1)
    }
  }
  const stack: unknown[] = [value]
  while (stack.length > 0) {
    const now = stack.pop()
    if (typeof now === 'string') count(now)
    else if (now !== null && typeof now === 'object') {
      if (!Array.isArray(now)) Object.keys(now).forEach(count)
      for (const item of Array.isArray(now) ? now : Object.values(now)) stack.push(item)
    }
  }
  return counts
}

export const buildSide = (result: unknown, { state, gone }: WorldState, ids: IdTable): RunSide => ({
  ids,
  total: countOccurrences([result, state, gone.map(({ last }) => last)], ids),
})

/**
 * Tells whether an element's created ids occur nowhere else, so that it can be paired with any fitting
 * element without a later contradiction. Elements with ids as keys, or with numbers within a tolerance, need
 * the search.
 */
export function isLoose(element: unknown, { ids, total }: RunSide, tolerance: number): boolean {
  const stack: unknown[] = [element]
  while (stack.length > 0) {
    const now = stack.pop()
    if (typeof now === 'number' && tolerance > 0 && !Number.isInteger(now)) return false
    if (now === null || typeof now !== 'object') continue
    if (!Array.isArray(now) && Object.keys(now).some((key) => ids.within(key))) return false
    for (const item of Array.isArray(now) ? now : Object.values(now)) stack.push(item)
  }
  return [...countOccurrences(element, ids)].every(([id, count]) => total.get(id) === count)
}
