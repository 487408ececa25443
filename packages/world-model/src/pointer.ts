/** JSON pointers (RFC 6901) into items, answers and models. */
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'

export const formatPointer = (path: readonly (string | number)[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const parsePointer = (pointer: string): string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The value at a path; undefined if nothing is there. */
export function getPathValue(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let at = value
  for (const key of path) {
    if (Array.isArray(at)) at = at[Number(key)]
    else if (isRecord(at) && Object.hasOwn(at, key)) at = at[key]
    else return undefined
  }
  return at
}

/** A copy of the object with the value at the path; undefined removes it. */
export function setPathValue(
  object: JsonObject,
  path: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const [key, ...rest] = path
  if (key === undefined) return isRecord(value) ? value : object
  const inner = Object.hasOwn(object, key) ? object[key] : undefined
  const next = rest.length === 0 ? value : setPathValue(isRecord(inner) ? inner : {}, rest, value)
  // Not a spread with a computed key: that would let the member __proto__ through as it should be.
  const copy: JsonObject = { ...object }
  if (next === undefined) delete copy[key]
  else Object.defineProperty(copy, key, { value: next, enumerable: true, writable: true, configurable: true })
  return copy
}

/** The leaves of a value: scalars, lists and empty objects, with their paths. */
export function listLeaves(value: JsonValue, deepest = 8, path: string[] = []): [string[], JsonValue][] {
  if (!isRecord(value) || path.length >= deepest || Object.keys(value).length === 0) return [[path, value]]
  return Object.entries(value).flatMap(([key, member]) => listLeaves(member, deepest, [...path, key]))
}
