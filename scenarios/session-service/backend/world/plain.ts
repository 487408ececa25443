/** Which documents every database gives back as they are, and how large they are in memory. */
import { Double, Int32, Long, Timestamp } from 'mongodb'
import type { Value } from '../document/value.ts'

/** What an entry of a map or list takes besides its texts, about. */
const entryBytes = 64

/**
 * The bytes of a value in memory, about; Infinity where a database may give back something else: broken
 * characters, times out of range, options of patterns in another order. Numbers, texts, booleans, null, and
 * documents and lists of them stay.
 */
export function sizeInMemory(value: Value): number {
  if (typeof value === 'string') return value.isWellFormed() ? entryBytes + 2 * value.length : Infinity
  if (value === null || typeof value === 'boolean') return entryBytes
  if (value instanceof Double)
    return Number.isFinite(value.value) && !Object.is(value.value, -0) ? entryBytes : Infinity
  // A Timestamp is a Long to the driver.
  if (value instanceof Int32 || (value instanceof Long && !(value instanceof Timestamp))) return entryBytes
  let size = entryBytes
  if (Array.isArray(value)) for (const item of value) size += sizeInMemory(item)
  else if (value instanceof Map)
    for (const [name, item] of value) size += nameBytes(name) + sizeInMemory(item)
  else return Infinity
  return size
}

const nameBytes = (name: string) => (name === '' || !name.isWellFormed() ? Infinity : 2 * name.length)
