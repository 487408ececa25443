/** The console: what Node would print of primitives and plain data. Anything else is printed by a process. */
import { bail, host } from './host.ts'

const mostValues = 10_000
const { getPrototypeOf, getOwnPropertyDescriptors } = Object
const ownKeys = Reflect.ownKeys

function print(...args: unknown[]) {
  const seen = new Set<unknown>()
  for (const arg of args) if (!isPlain(arg, seen)) bail('console of more than plain data')
  try {
    host('print', args)
  } catch {
    bail('console of what can’t be copied')
  }
}

/** Values that, copied into another realm, print as they would here. */
function isPlain(value: unknown, seen: Set<unknown>): boolean {
  if (typeof value === 'symbol' || typeof value === 'function') return false
  if (typeof value !== 'object' || value === null || seen.has(value)) return true
  if (seen.add(value).size > mostValues) return false
  const prototype: unknown = getPrototypeOf(value)
  if (prototype === Date.prototype) return ownKeys(value).length === 0
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false
  if (prototype === Array.prototype && !Array.isArray(value)) return false
  const properties = getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>
  return ownKeys(properties).every((key) => {
    const property = properties[key as string]!
    const data = 'value' in property && (property.enumerable === true || (key === 'length' && Array.isArray(value)))
    return typeof key === 'string' && key !== '__proto__' && key !== 'constructor' && data && isPlain(property.value, seen)
  })
}

const methods: Record<string, unknown> = { log: print, info: print, debug: print, error: print, warn: print }

export const console = new Proxy(methods, {
  get: (target, key) => (key in target ? target[key as string] : bail(`console.${String(key)}`)),
})
