/** Lists whose order is irrelevant, marked in a world's state. */
import type { ComparisonRules } from '@stateeval/program'

export class UnorderedList {
  readonly items: readonly unknown[]
  constructor(items: readonly unknown[]) {
    this.items = items
  }
}

type MarkedPath = readonly (string | number)[]

function markList(value: unknown, path: MarkedPath): unknown {
  const [key, ...rest] = path
  if (key === undefined) return Array.isArray(value) ? new UnorderedList(value) : value
  if (
    value === null ||
    typeof value !== 'object' ||
    value instanceof UnorderedList ||
    !Object.hasOwn(value, key)
  )
    return value
  const inner = markList((value as Record<string | number, unknown>)[key], rest)
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? inner : item))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === String(key) ? inner : item]),
  )
}

/** A copy of the state with the unordered lists of a comparison marked. */
export const markUnordered = (state: unknown, { unordered }: Pick<ComparisonRules, 'unordered'>) =>
  unordered.reduce<unknown>((markedState, path) => markList(markedState, path), state)
