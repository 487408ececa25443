/** The scalars and lists inside a document, by path. */
import type { Json, JsonObject } from '@stateeval/contracts'

export interface Leaf {
  path: readonly string[]
  /** The path as a text: `owner.name`. */
  name: string
  value: Json
}

const known = new WeakMap<object, readonly Leaf[]>()

/**
 * Every part that is no document itself, in the order in which it stands there. Documents of the state machine are
 * values, never changed in place: what is found once stays true, and generation asks often.
 */
export function leaves(document: JsonObject): readonly Leaf[] {
  let found = known.get(document)
  if (!found) known.set(document, (found = walk(document, [])))
  return found
}

/** The leaf of this name, if the document has it. */
export const leafOf = (document: JsonObject, name: string): Leaf | undefined => leaves(document).find((leaf) => leaf.name === name)

const walk = (value: Json, path: readonly string[]): Leaf[] =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? [{ path, name: path.join('.'), value }]
    : Object.entries(value).flatMap(([key, item]) => walk(item, [...path, key]))

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
