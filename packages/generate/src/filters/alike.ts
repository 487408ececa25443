/**
 * Tells whether two runs of one input have the same outcome: RESULT and final world, up to their issued ids
 * and irrelevant order.
 */
import type { ComparisonRules, ValuePath } from '@stateeval/program'
import type { ShownOutcome } from './state.ts'

/**
 * Compares value by value: most runs differ at the first place, and most equal parts are the same object.
 * Comparing a text of everything would take ten times as long.
 */
export function isAlike(
  a: ShownOutcome,
  b: ShownOutcome,
  { compare }: { compare: ComparisonRules },
): boolean {
  const ids = collectIssuedIds(a, b)
  // RESULT is smaller, and most often says it.
  return isSame(a.result, b.result, ids) && isSameWorld(a.world.state, b.world.state, compare.unordered, ids)
}

/**
 * Tells whether a part of a mutant's RESULT differs from the program's regardless of the later steps: not
 * only in a text that may be an id on both sides. `issued` are the ids of the program's run.
 */
export function isSurelyDifferent(part: unknown, ownPart: unknown, issued: ReadonlySet<string>): boolean {
  if (part === ownPart) return false
  if (typeof part === 'string' && typeof ownPart === 'string') return !issued.has(ownPart)
  if (part === null || ownPart === null || typeof part !== 'object' || typeof ownPart !== 'object')
    return true
  if (Array.isArray(part) !== Array.isArray(ownPart)) return true
  const keys = Object.keys(ownPart)
  if (keys.length !== Object.keys(part).length) return true
  for (const key of keys)
    if (
      !Object.hasOwn(part, key) ||
      isSurelyDifferent(
        (part as Record<string, unknown>)[key],
        (ownPart as Record<string, unknown>)[key],
        issued,
      )
    )
      return true
  return false
}

/**
 * Tells whether a constant guessed for a value certainly differs from it: it has a different text, number or
 * flag for each.
 */
export function isGuessWrong(value: unknown, issued: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return !issued.has(value)
  if (value === null || typeof value !== 'object') return value !== null
  for (const key of Object.keys(value))
    if (isGuessWrong((value as Record<string, unknown>)[key], issued)) return true
  return false
}

interface IdPredicates {
  a: { has: (id: string) => boolean }
  b: { has: (id: string) => boolean }
  /** Both issued the same: then what is one object shows the same. */
  equal: boolean
}
function collectIssuedIds(
  { world: { ids: a } }: ShownOutcome,
  { world: { ids: b } }: ShownOutcome,
): IdPredicates {
  const equal =
    a.created.length === b.created.length && a.created.every((id, index) => id === b.created[index])
  return { a: createIdPredicate(a.created), b: createIdPredicate(b.created), equal }
}

/** Most runs differ before an id is looked up. */
function createIdPredicate(created: readonly string[]): IdPredicates['a'] {
  let ids: ReadonlySet<string> | undefined
  return { has: (id) => (ids ??= new Set(created)).has(id) }
}

function isSame(a: unknown, b: unknown, ids: IdPredicates): boolean {
  if (typeof a === 'string' && typeof b === 'string') {
    if (a === b && ids.equal) return true
    const issued = ids.a.has(a)
    return issued === ids.b.has(b) && (issued || a === b)
  }
  if (a === b) return ids.equal || a === null || typeof a !== 'object' || hasSameParts(a, a, ids)
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  return hasSameParts(a, b, ids)
}

function hasSameParts(a: object, b: object, ids: IdPredicates): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    for (let index = 0; index < a.length; index++) if (!isSame(a[index], b[index], ids)) return false
    return true
  }
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys)
    if (
      !Object.hasOwn(b, key) ||
      !isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], ids)
    )
      return false
  return true
}

/** `unordered`: the lists, by path from here, whose order says nothing. */
function isSameWorld(a: unknown, b: unknown, unordered: readonly ValuePath[], ids: IdPredicates): boolean {
  if (unordered.length === 0) return isSame(a, b, ids)
  if (unordered.some((path) => path.length === 0)) return hasSameMembers(a, b, ids)
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return isSame(a, b, ids)
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => {
    const below = unordered.filter(([first]) => String(first) === key).map(([, ...rest]) => rest)
    return (
      Object.hasOwn(b, key) &&
      isSameWorld((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], below, ids)
    )
  })
}

/** Each member of one list has its own among the other's; most lists agree in order but for one or two. */
function hasSameMembers(a: unknown, b: unknown, ids: IdPredicates): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return isSame(a, b, ids)
  if (a.length !== b.length) return false
  let agree = 0
  while (agree < a.length && isSame(a[agree], b[agree], ids)) agree++
  if (agree === a.length) return true
  const remainder: unknown[] = b.slice(agree)
  return a.slice(agree).every((item: unknown) => {
    const at = remainder.findIndex((other) => isSame(item, other, ids))
    if (at >= 0) remainder.splice(at, 1)
    return at >= 0
  })
}
