/** Lists whose order is irrelevant, marked in a world's state. */
import type { ComparisonRules } from '@stateeval/program'

export class Unordered {
  readonly items: readonly unknown[]
  constructor(items: readonly unknown[]) {
    this.items = items
  }
}

type Path = readonly (string | number)[]

function mark(value: unknown, path: Path): unknown {
  const [key, ...rest] = path
  if (key === undefined) return Array.isArray(value) ? new Unordered(value) : value
  if (value === null || typeof value !== 'object' || value instanceof Unordered || !Object.hasOwn(value, key))
    return value
  const inner = mark((value as Record<string | number, unknown>)[key], rest)
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? inner : item))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === String(key) ? inner : item]),
  )
}

/** A copy of the state with the unordered lists of a comparison marked. */
export const markUnordered = (state: unknown, { unordered }: Pick<ComparisonRules, 'unordered'>) =>
  unordered.reduce<unknown>((markedState, path) => mark(markedState, path), state)
