/** Pages of lists. */
import { maxAnswerBytes } from '@stateeval/contracts'

/** A cursor that counts from 0. */
export const parsePosition = (cursor: string | undefined): number => Number(cursor ?? 0)

/**
 * A page of `candidates`, which contain one more than the page may have; the next cursor is the last one's
 * id.
 */
export function buildPage<T extends { id: string }>(
  candidates: readonly T[],
  limit: number,
): { items: T[]; next?: string } {
  const items = candidates.slice(0, limit)
  const last = items.at(-1)
  return { items, ...(candidates.length > limit && last && { next: last.id }) }
}

/**
 * The first items of a list with possibly large items: at most `limit`, at most as many as fit a response,
 * and at least one. `more` tells whether others follow. Items are requested one after the other, at most
 * one more than the page has.
 */
export async function fillPage<T>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  maxLength = maxAnswerBytes,
): Promise<{ items: T[]; more: boolean }> {
  const page: T[] = []
  let length = 0
  for await (const item of items) {
    if (page.length === limit) return { items: page, more: true }
    length += JSON.stringify(item).length
    if (page.length > 0 && length > maxLength) return { items: page, more: true }
    page.push(item)
  }
  return { items: page, more: false }
}

/** All items in the order of their ids, read in pages: `page` returns those after a cursor. */
export async function* listEveryItem<T extends { id: string }>(
  page: (cursor: string | undefined, limit: number) => Promise<T[]>,
  together: number,
): AsyncGenerator<T, void, undefined> {
  for (let cursor: string | undefined; ;) {
    const items = await page(cursor, together)
    yield* items
    if (items.length < together) return
    cursor = items.at(-1)?.id
  }
}
