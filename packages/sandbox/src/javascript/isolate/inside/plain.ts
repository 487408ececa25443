/**
 * Plain data, which cannot be distinguished from its copy in another realm or its clone, up to a size that
 * is copied quickly.
 */
import { requireIntact } from './host.ts'

/** Objects and properties, one that is shared counted wherever it stands: each is printed. */
const maxValues = 50_000
/** Characters. */
export const maxText = 1 << 18
const deepest = 100
const largest = 1n << 4096n
const { getPrototypeOf, getOwnPropertyDescriptor, prototype: objectPrototype } = Object
const arrayPrototype = Array.prototype
const datePrototype = Date.prototype
const { isArray } = Array
const { ownKeys } = Reflect

let proxies = false
let values = 0
let text = 0

/** Operations on a proxy are visible to the program that created it. */
export function expectProxies(expected: boolean) {
  proxies = expected
}

/**
 * Primitives (except symbols), dates, and objects and arrays of plain enumerable data, also with cycles.
 */
export function isPlain(value: unknown): boolean {
  if (typeof value === 'object') requireIntact()
  values = text = 0
  return isPlainBelow(value, [], 0)
}

function isPlainBelow(value: unknown, above: unknown[], depth: number): boolean {
  if (typeof value === 'string') return (text += value.length) <= maxText
  if (typeof value === 'bigint') return value < largest && value > -largest
  if (typeof value === 'symbol' || typeof value === 'function') return false
  if (typeof value !== 'object' || value === null) return true
  for (let n = 0; n < depth; n++) if (above[n] === value) return true
  if (proxies || depth >= deepest) return false
  const prototype: unknown = getPrototypeOf(value)
  const list = isArray(value)
  if (list && value.length > maxValues) return false
  const keys = ownKeys(value)
  if ((values += keys.length + 1) > maxValues) return false
  if (prototype === datePrototype) return keys.length === 0
  if (prototype !== (list ? arrayPrototype : objectPrototype)) return false
  above[depth] = value
  for (let n = 0; n < keys.length; n++) {
    const key = keys[n]!
    if (typeof key !== 'string' || key === '__proto__' || key === 'constructor') return false
    const property = getOwnPropertyDescriptor(value, key)!
    if (!('value' in property) || (property.enumerable !== true && !(list && key === 'length'))) return false
    if ((text += list ? 1 : key.length) > maxText || !isPlainBelow(property.value, above, depth + 1))
      return false
  }
  return true
}
