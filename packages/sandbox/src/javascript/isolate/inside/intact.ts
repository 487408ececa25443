/**
 * Checks that the builtins used by our code are unchanged. Node’s own code mostly avoids builtins that
 * programs can change. A program that changes one would see a difference here, so a process runs it.
 */
const { getPrototypeOf } = Object
const iteratorOf = (value: Iterable<unknown>) => getPrototypeOf(value[Symbol.iterator]()) as object
const { iterator, replace, split } = Symbol

const usedMembers: readonly (readonly [holder: object, names: string, symbols?: readonly symbol[]])[] = [
  [
    Array.prototype,
    'concat every filter find flatMap forEach includes indexOf join map push slice some sort',
    [iterator],
  ],
  [
    String.prototype,
    'charCodeAt endsWith includes indexOf match replace slice split startsWith toLowerCase toUpperCase trim',
    [iterator],
  ],
  [RegExp.prototype, 'exec test', [replace, split]],
  [Map.prototype, 'delete entries forEach get has set', [iterator]],
  [Set.prototype, 'add delete forEach has', [iterator]],
  [Promise, 'all reject resolve'],
  [Promise.prototype, 'catch finally then'],
  [Function.prototype, 'apply bind call'],
  [
    Object,
    'assign create defineProperties defineProperty entries fromEntries getOwnPropertyDescriptors getPrototypeOf hasOwn keys',
  ],
  [Object.prototype, 'hasOwnProperty toString'],
  [Reflect, 'apply defineProperty deleteProperty get has ownKeys set'],
  [JSON, 'parse stringify'],
  [Array, 'from isArray'],
  [Date, 'now'],
  [Number, 'isInteger'],
  [
    globalThis,
    'Array Boolean Date Error JSON Map Number Object Promise Reflect RegExp Set String Symbol TypeError',
  ],
  ...[[], '', new Map(), new Set()].map((value: Iterable<unknown>) => [iteratorOf(value), 'next'] as const),
]

/**
 * Where each stands, what it is called, what it is: three lists, since each object here is made anew in every
 * isolate.
 */
const owners: object[] = []
const keys: PropertyKey[] = []
const values: unknown[] = []
for (const [holder, names, symbols = []] of usedMembers)
  for (const key of [...names.split(' '), ...symbols]) {
    owners.push(holder)
    keys.push(key)
    values.push((holder as Record<PropertyKey, unknown>)[key])
  }
const { length } = keys

export function areIntact(): boolean {
  for (let n = 0; n < length; n++)
    if ((owners[n] as Record<PropertyKey, unknown>)[keys[n]!] !== values[n]) return false
  return true
}
