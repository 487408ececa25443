/** References in arguments of listed calls: `$label$`, `$label.path$`, with names and indices in the path. */
import { isRecord, type JsonValue } from '@stateeval/contracts'
import { splitReferencePath } from '@stateeval/program'

/** A reference names what no call before it gave. */
class ReferenceError extends Error {
  override readonly name = 'ReferenceError'
}

/** The referable values, by label without dollar signs. */
export type ReferenceScope = ReadonlyMap<string, JsonValue>

export const stripLabelMarks = (text: string) => text.replaceAll('$', '')

const reference = /^\$([A-Za-z_]\w*)(?:\.([^$]+)|(\[\d{1,9}\][^$]*))?\$$/

/** A value with its references resolved. Throws a ReferenceError that names the faulty reference. */
export function resolve(value: JsonValue, scope: ReferenceScope): JsonValue {
  if (typeof value === 'string') return resolveText(value, scope)
  if (Array.isArray(value)) return value.map((item) => resolve(item, scope))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, scope)]))
}

/**
 * The size of a value as JSON, about; counted up to just beyond `max`, because a short value may hold a long
 * result many times.
 */
export function measureJson(value: JsonValue, max: number): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2
  if (typeof value !== 'object' || value === null) return String(value).length
  let size = 2
  for (const [name, member] of Object.entries(value)) {
    size += (Array.isArray(value) ? 1 : Buffer.byteLength(name) + 4) + measureJson(member, max - size)
    if (size > max) return size
  }
  return size
}

function resolveText(text: string, scope: ReferenceScope): JsonValue {
  const [, label, dotted, indexed] = reference.exec(text) ?? []
  if (label === undefined) return text
  const excerpt = text.slice(0, 100)
  if (!scope.has(label))
    throw new ReferenceError(`${excerpt} refers to ${label}, which no earlier call returned`)
  const whole = scope.get(label)!
  const path = dotted ?? indexed ?? ''
  // An output may have a dot in its name.
  if (isRecord(whole) && Object.hasOwn(whole, path)) return whole[path]!
  const keys = splitReferencePath(path)
  // A result that is no object is its tool's only output, whatever that is called.
  if (keys.length === 1 && typeof keys[0] === 'string' && (typeof whole !== 'object' || whole === null))
    return whole
  let value: JsonValue = whole
  for (const key of keys) {
    const next = getMemberValue(value, key)
    if (next === undefined)
      throw new ReferenceError(
        `${excerpt}: there is no ${String(key) || 'output without a name'} in the result`,
      )
    value = next
  }
  return value
}

function getMemberValue(value: JsonValue, key: string | number): JsonValue | undefined {
  if (typeof key === 'number') return Array.isArray(value) ? value[key] : undefined
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
