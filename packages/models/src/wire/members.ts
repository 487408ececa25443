/** Members of messages that nobody here reads: kept as they came, also if they came in pieces. */

export type WireMembers = Readonly<Record<string, unknown>>

export const toMembers = (value: unknown): WireMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as WireMembers) : {}

/** Servers that are only nearly compatible give arguments as an object, or leave parts out. */
export const toWireText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/** Members that name a thing: a piece repeats them. Other texts are continued. */
const labels: ReadonlySet<string> = new Set(['type', 'id', 'format', 'role', 'name', 'object', 'model'])
const deepest = 8

/**
 * Puts two pieces of a stream together, as a client of the vendor would. The first one is changed: copies
 * would take a time that grows with the square of the pieces.
 */
function joinMembers(name: string, one: unknown, next: unknown, depth: number): unknown {
  if (one === undefined || one === null) return next
  if (next === undefined || next === null || depth > deepest) return one
  if (typeof one === 'string' && typeof next === 'string') return labels.has(name) ? next : one + next
  if (Array.isArray(one) && Array.isArray(next)) return mergeLists(one, next, depth)
  if (typeof one === 'object' && typeof next === 'object' && !Array.isArray(one) && !Array.isArray(next))
    return mergeMembers(one as Record<string, unknown>, next as WireMembers, depth + 1)
  return next
}

/** Entries with the same index and type are pieces of one (reasoning_details of OpenRouter). */
function mergeLists(list: unknown[], next: readonly unknown[], depth: number): unknown[] {
  for (const entry of next) {
    const { index, type } = toMembers(entry)
    const earlier =
      typeof index === 'number'
        ? list.findLast((one) => toMembers(one)['index'] === index && toMembers(one)['type'] === type)
        : undefined
    if (earlier) mergeMembers(earlier as Record<string, unknown>, toMembers(entry), depth + 1)
    else list.push(entry)
  }
  return list
}

/** Adds the members of the next piece to `one`, and gives it. */
export function mergeMembers(
  one: Record<string, unknown>,
  next: WireMembers,
  depth = 0,
): Record<string, unknown> {
  for (const [name, value] of Object.entries(next)) {
    // Names such as __proto__ are members like others.
    const now = joinMembers(name, Object.hasOwn(one, name) ? one[name] : undefined, value, depth)
    Object.defineProperty(one, name, { value: now, enumerable: true, writable: true, configurable: true })
  }
  return one
}

export const measureMembers = (members: WireMembers): number => {
  for (const _ in members) return JSON.stringify(members).length
  return 0
}

/** A value with every text hidden; names of members, too. */
export const hideInValue = <T>(value: T, hide: (text: string) => string): T =>
  JSON.parse(hide(JSON.stringify(value))) as T
