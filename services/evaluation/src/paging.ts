/** Pages of lists. */

/** A cursor that counts from 0. */
export const placeOf = (cursor: string | undefined): number => Number(cursor ?? 0)

/** A page of what was looked up with one more than it may hold; the cursor of the next is the last one's id. */
export function pageOf<T extends { id: string }>(
  found: readonly T[],
  limit: number,
): { items: T[]; next?: string } {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, ...(found.length > limit && last && { next: last.id }) }
}
