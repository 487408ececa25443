/** All items of a listing, requested page by page. */
export async function everyPage<T>(
  ask: (query: { limit: number; cursor?: string }) => Promise<{ items: T[]; next?: string }>,
): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | undefined; ;) {
    const { items, next } = await ask({ limit: 500, ...(cursor !== undefined && { cursor }) })
    all.push(...items)
    if (next === undefined) return all
    cursor = next
  }
}
