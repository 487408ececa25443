/**
 * Whether builtins are what they were. All that is in an isolate uses them, and Node’s own code mostly doesn’t: a program that
 * changes one may see the difference, so a process runs it.
 */
const { getOwnPropertyDescriptor, getPrototypeOf } = Object
const { ownKeys } = Reflect
const iteratorOf = (value: Iterable<unknown>) => getPrototypeOf(value[Symbol.iterator]()) as object

const holders: object[] = [
  ...[Object, Array, String, Number, Promise, Reflect, JSON, Math, Date],
  ...[Object, Function, Array, String, Number, RegExp, Promise, Map, Set, WeakMap, Date, Error].map(({ prototype }) => prototype as object),
  ...[[], '', new Map(), new Set()].map(iteratorOf),
  getPrototypeOf(iteratorOf([])) as object,
]
const names =
  'Object Function Array String Number Boolean Symbol BigInt RegExp Promise Proxy Reflect JSON Math Date Map Set WeakMap Error TypeError RangeError SyntaxError ReferenceError'

/** Where each stands, what it is called, what it is: three lists, since each object here is made anew in every isolate. */
const owners: object[] = []
const keys: PropertyKey[] = []
const values: unknown[] = []

/** To be called once all of ours is defined. */
export function keepBuiltins() {
  const keep = (holder: object, key: PropertyKey) => {
    const value: unknown = getOwnPropertyDescriptor(holder, key)?.value
    if (typeof value !== 'function' && holder !== globalThis) return
    owners.push(holder)
    keys.push(key)
    values.push(value)
  }
  for (const holder of holders) for (const key of ownKeys(holder)) if (key !== 'constructor') keep(holder, key)
  for (const name of names.split(' ')) keep(globalThis, name)
}

export function areIntact(): boolean {
  for (let n = 0; n < keys.length; n++) if ((owners[n] as Record<PropertyKey, unknown>)[keys[n]!] !== values[n]) return false
  return true
}
