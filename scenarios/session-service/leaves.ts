/** The scalars and lists inside a document, by path. */
import type { Json } from '@stateeval/contracts'

export interface Leaf {
  path: readonly string[]
  value: Json
}

/** Every part that is no document itself, in the order in which it stands there. */
export function leaves(value: Json, path: readonly string[] = []): Leaf[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key]))
}

/** The document with another value at a path; the other parts are shared, and the order of keys stays. */
export function replaced(value: Json, path: readonly string[], leaf: Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return leaf
  const document = value as { [key: string]: Json }
  return { ...document, [key]: replaced(document[key] ?? {}, rest, leaf) }
}

/** The document with each scalar, also inside lists, put through a function of its path and value. */
export function mapLeaves(value: Json, map: (key: string, value: Json) => Json, key = ''): Json {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, map, key))
  if (value === null || typeof value !== 'object') return map(key, value)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapLeaves(item, map, name)]))
}

/** A name of the kind that a leaf is drawn from: the last key of its path. */
export const kindOf = (path: readonly (string | number)[]) => String(path.findLast((key) => typeof key === 'string') ?? '')
