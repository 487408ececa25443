/** Pairs the remote items of two runs for explanations: by id for initial items, otherwise by content. */
import type { Labels } from './labels.ts'
import { signature } from './signature.ts'

export interface Item {
  value: unknown
  id: string | undefined
  initial: boolean
  signature: string
}
export interface Alignment {
  pairs: [Item, Item][]
  missing: Item[]
  surplus: Item[]
}

/** Above this number of items, only the number is explained. */
export const maxItems = 200

export function itemsOf(list: readonly unknown[], side: 'expected' | 'found', labels: Labels): Item[] {
  const ids = side === 'expected' ? labels.expectedIds : labels.foundIds
  const items = list.map((value): Item => {
    const ownId = value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : undefined
    const id = typeof ownId === 'string' && ids.info(ownId) ? ownId : undefined
    return {
      value,
      id,
      initial: id !== undefined && ids.info(id)?.kind === 'initial',
      signature: signature(value, { ids, maskNumbers: false }),
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
export function align(expected: readonly Item[], actual: readonly Item[], labels: Labels): Alignment {
  const pairs: [Item, Item][] = []
  let missing = [...expected]
  let surplus = [...actual]
  const take = (fits: (e: Item, f: Item) => boolean) => {
    for (const e of missing) {
      const f = surplus.find((item) => fits(e, item))
      if (!f) continue
      pairs.push([e, f])
      surplus = surplus.filter((item) => item !== f)
      if (e.id && f.id) labels.pair(e.id, f.id)
    }
    missing = missing.filter((item) => !pairs.some(([e]) => e === item))
  }
  const partners = (e: Item, f: Item) =>
    e.id !== undefined && f.id !== undefined && labels.partnerOf(f.id) === e.id
  const initialPlace = (item: Item, ids: Labels['expectedIds']) =>
    item.id ? ids.info(item.id)?.index : undefined
  take(
    (e, f) =>
      e.initial && f.initial && initialPlace(e, labels.expectedIds) === initialPlace(f, labels.foundIds),
  )
  take((e, f) => !e.initial && !f.initial && e.signature === f.signature && partners(e, f))
  take((e, f) => !e.initial && !f.initial && e.signature === f.signature)
  take((e, f) => !e.initial && !f.initial && alike(e.value, f.value) >= 0.5)
  return { pairs, missing, surplus }
}

/** The share of leaves that two values have in common, 0 to 1; the id itself says nothing. */
function alike(a: unknown, b: unknown): number {
  const [ours, theirs] = [leaves(a), leaves(b)]
  const common = [...ours].filter((leaf) => theirs.has(leaf)).length
  return common / Math.max(ours.size, theirs.size, 1)
}
function leaves(value: unknown, path = '', into = new Set<string>()): Set<string> {
  if (into.size > 100) return into
  if (value === null || typeof value !== 'object') return into.add(`${path}=${JSON.stringify(value)}`)
  for (const [key, item] of Object.entries(value))
    if (!(path === '' && key === 'id')) leaves(item, `${path}/${key}`, into)
  return into
}

/** The name of an item: `session titled "…"`, or the noun alone. */
export function titled(value: unknown, noun: string): string {
  for (const holder of [value, (value as { data?: unknown } | null)?.data]) {
    if (holder === null || typeof holder !== 'object') continue
    for (const key of ['title', 'name']) {
      const text = (holder as Record<string, unknown>)[key]
      if (typeof text === 'string') return `${noun} titled ${JSON.stringify(text.slice(0, 80))}`
    }
  }
  return noun
}
