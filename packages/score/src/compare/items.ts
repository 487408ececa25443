/** Pairs the remote items of two runs for explanations: by id for initial items, otherwise by content. */
import type { IdLabels } from './labels.ts'
import { computeSignature } from './signature.ts'

export interface ComparedItem {
  value: unknown
  id: string | undefined
  initial: boolean
  signature: string
}
export interface ItemAlignment {
  pairs: [ComparedItem, ComparedItem][]
  missing: ComparedItem[]
  surplus: ComparedItem[]
}

/** Above this number of items, only the number is explained. */
export const maxItems = 200

export function collectItems(
  list: readonly unknown[],
  side: 'expected' | 'found',
  labels: IdLabels,
): ComparedItem[] {
  const ids = side === 'expected' ? labels.expectedIds : labels.foundIds
  const items = list.map((value): ComparedItem => {
    const ownId = value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : undefined
    const id = typeof ownId === 'string' && ids.info(ownId) ? ownId : undefined
    return {
      value,
      id,
      initial: id !== undefined && ids.info(id)?.kind === 'initial',
      signature: computeSignature(value, { ids, maskNumbers: false }),
    }
  })
  // The expected run's order is the same each time; the found run's may not be where it sent requests at
  // once.
  return side === 'expected'
    ? items
    : items.toSorted((a, b) => (a.signature < b.signature ? -1 : a.signature > b.signature ? 1 : 0))
}

/**
 * Pairs items: first the same initial item, then equal content (ids that RESULT already paired first), then
 * the most similar.
 */
export function alignItems(
  expected: readonly ComparedItem[],
  actual: readonly ComparedItem[],
  labels: IdLabels,
): ItemAlignment {
  const pairs: [ComparedItem, ComparedItem][] = []
  let missing = [...expected]
  let surplus = [...actual]
  const take = (fits: (e: ComparedItem, f: ComparedItem) => boolean) => {
    for (const e of missing) {
      const f = surplus.find((item) => fits(e, item))
      if (!f) continue
      pairs.push([e, f])
      surplus = surplus.filter((item) => item !== f)
      if (e.id && f.id) labels.pair(e.id, f.id)
    }
    missing = missing.filter((item) => !pairs.some(([e]) => e === item))
  }
  const partners = (e: ComparedItem, f: ComparedItem) =>
    e.id !== undefined && f.id !== undefined && labels.partnerOf(f.id) === e.id
  const initialPlace = (item: ComparedItem, ids: IdLabels['expectedIds']) =>
    item.id ? ids.info(item.id)?.index : undefined
  take(
    (e, f) =>
      e.initial && f.initial && initialPlace(e, labels.expectedIds) === initialPlace(f, labels.foundIds),
  )
  take((e, f) => !e.initial && !f.initial && e.signature === f.signature && partners(e, f))
  take((e, f) => !e.initial && !f.initial && e.signature === f.signature)
  take((e, f) => !e.initial && !f.initial && measureLikeness(e.value, f.value) >= 0.5)
  return { pairs, missing, surplus }
}

/** The share of leaves that two values have in common, 0 to 1; the id itself says nothing. */
function measureLikeness(a: unknown, b: unknown): number {
  const [ours, theirs] = [collectLeaves(a), collectLeaves(b)]
  const common = [...ours].filter((leaf) => theirs.has(leaf)).length
  return common / Math.max(ours.size, theirs.size, 1)
}
function collectLeaves(value: unknown, path = '', into = new Set<string>()): Set<string> {
  if (into.size > 100) return into
  if (value === null || typeof value !== 'object') return into.add(`${path}=${JSON.stringify(value)}`)
  for (const [key, item] of Object.entries(value))
    if (!(path === '' && key === 'id')) collectLeaves(item, `${path}/${key}`, into)
  return into
}

/** The name of an item: `session titled "…"`, or the noun alone. */
export function formatItemTitle(value: unknown, noun: string): string {
  for (const holder of [value, (value as { data?: unknown } | null)?.data]) {
    if (holder === null || typeof holder !== 'object') continue
    for (const key of ['title', 'name']) {
      const text = (holder as Record<string, unknown>)[key]
      if (typeof text === 'string') return `${noun} titled ${JSON.stringify(text.slice(0, 80))}`
    }
  }
  return noun
}
