/** Plain data: what a copy in another realm, or a clone, can’t be told from. */
const mostValues = 10_000
const { getPrototypeOf, getOwnPropertyDescriptors, prototype: objectPrototype } = Object
const arrayPrototype = Array.prototype
const datePrototype = Date.prototype
const { isArray } = Array
const { ownKeys } = Reflect

/** Primitives (symbols apart), dates, and objects and arrays of plain enumerable data, also in circles. */
export function isPlain(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value === 'symbol' || typeof value === 'function') return false
  if (typeof value !== 'object' || value === null || seen.has(value)) return true
  if (seen.add(value).size > mostValues) return false
  const prototype: unknown = getPrototypeOf(value)
  if (prototype === datePrototype) return ownKeys(value).length === 0
  if (prototype !== objectPrototype && prototype !== arrayPrototype) return false
  if ((prototype === arrayPrototype) !== isArray(value)) return false
  const properties = getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>
  return ownKeys(properties).every((key) => {
    const property = properties[key as string]!
    const data = 'value' in property && (property.enumerable === true || (key === 'length' && isArray(value)))
    return typeof key === 'string' && key !== '__proto__' && key !== 'constructor' && data && isPlain(property.value, seen)
  })
}
