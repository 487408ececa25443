/** Pages of lists whose items may be large: a page ends where it is full, whatever its limit. */
import { maxAnswerBytes } from '@stateeval/contracts'

/**
 * The first items of a list, no more than `limit`, and no more than an answer may hold; one at least. `more` says whether
 * others follow. Items are asked for one after the other, and one more than the page has at most.
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
