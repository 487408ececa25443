/**
 * How often each created id occurs in a value, and whether pairing the value with another affects anything
 * else.
 */
import type { WorldState } from '@stateeval/contracts'
import type { Ids } from './ids.ts'

/** One run: its ids, and how often each occurs in RESULT, state and the last contents of deleted items. */
export interface Side {
  ids: Ids
  total: ReadonlyMap<string, number>
}

/**
 * Counts created ids in a value; stops descending at nothing, so the value must have passed the size limit.
 */
function occurrences(value: unknown, ids: Ids, counts = new Map<string, number>()): Map<string, number> {
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

export const sideOf = (result: unknown, { state, gone }: WorldState, ids: Ids): Side => ({
  ids,
  total: occurrences([result, state, gone.map(({ last }) => last)], ids),
})

/**
 * Tells whether an element's created ids occur nowhere else, so that it can be paired with any fitting element
 * without a later contradiction. Elements with ids as keys, or with numbers within a tolerance, are left to
 * the search.
 */
export function isLoose(element: unknown, { ids, total }: Side, tolerance: number): boolean {
  const stack: unknown[] = [element]
  while (stack.length > 0) {
    const now = stack.pop()
    if (typeof now === 'number' && tolerance > 0 && !Number.isInteger(now)) return false
    if (now === null || typeof now !== 'object') continue
    if (!Array.isArray(now) && Object.keys(now).some((key) => ids.within(key))) return false
    for (const item of Array.isArray(now) ? now : Object.values(now)) stack.push(item)
  }
  return [...occurrences(element, ids)].every(([id, count]) => total.get(id) === count)
}
