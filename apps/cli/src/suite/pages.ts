/** All items of a listing, requested page by page; `onPage` is called with the number of items so far. */
export async function readEveryPage<T>(
  ask: (query: { limit: number; cursor?: string }) => Promise<{ items: T[]; next?: string }>,
  onPage?: (count: number) => void,
): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | undefined; ;) {
    const { items, next } = await ask({ limit: 500, ...(cursor !== undefined && { cursor }) })
    all.push(...items)
    onPage?.(all.length)
    if (next === undefined) return all
    cursor = next
  }
}
