/** The scalars and lists inside a document, by path. */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { memoize } from '@stateeval/program'

/** The place of a leaf: the same object for the same path in all documents. */
interface LeafPlace {
  path: readonly string[]
  /** The path as a text: `owner.name`. */
  name: string
  /** The path as queries name it: `data.owner.name`. */
  field: string
}
interface DocumentLeaf extends LeafPlace {
  value: JsonValue
}

/** Documents have a few dozen different paths, so each is spelled once. */
interface LeafNode extends LeafPlace {
  below: Map<string, LeafNode>
}
const root: LeafNode = { path: [], name: '', field: 'data', below: new Map() }
function findChildNode(node: LeafNode, key: string): LeafNode {
  let child = node.below.get(key)
  if (!child) {
    const path = [...node.path, key]
    const name = path.join('.')
    child = { path, name, field: `data.${name}`, below: new Map() }
    node.below.set(key, child)
  }
  return child
}

/**
 * Every part that is no document itself, in the order in which it stands there. Documents of the state
 * machine are values, never changed in place: what is found once stays true, and generation asks often.
 */
export const leaves = memoize((document: JsonObject): readonly DocumentLeaf[] => collect(document, root, []))

function collect(document: JsonObject, node: LeafNode, list: DocumentLeaf[]): DocumentLeaf[] {
  for (const key of Object.keys(document)) {
    const value = document[key] as JsonValue
    const place = findChildNode(node, key)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) collect(value, place, list)
    else list.push({ path: place.path, name: place.name, field: place.field, value })
  }
  return list
}

/** The leaf of this name, if the document has it. */
export function findLeaf(document: JsonObject, name: string): DocumentLeaf | undefined {
  for (const leaf of leaves(document)) if (leaf.name === name) return leaf
  return undefined
}

/** The document with each scalar, also inside lists, put through a function of its path and value. */
export function mapLeaves(
  value: JsonValue,
  map: (key: string, value: JsonValue) => JsonValue,
  key = '',
): JsonValue {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, map, key))
  if (value === null || typeof value !== 'object') return map(key, value)
  const mapped: JsonObject = {}
  for (const name of Object.keys(value)) mapped[name] = mapLeaves(value[name] as JsonValue, map, name)
  return mapped
}

/** A name of the kind that a leaf is drawn from: the last key of its path. */
export const getLeafKind = (path: readonly (string | number)[]) =>
  String(path.findLast((key) => typeof key === 'string') ?? '')
