import type { Json } from '@stateeval/contracts'
import type { MutationOperator } from '../operator.ts'
import { nameOf, placesOf, slotsOf, spellAtom, withStep } from '../positions.ts'

export const changedLiteral: MutationOperator = {
  id: 'changed_literal',
  about: 'A constant is one step off: a number by one, a flag, a text by a letter, a list by an element',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) =>
      slotsOf(step).flatMap(({ name, atom, put }) =>
        atom.kind === 'literal'
          ? neighbours(atom.value as Json).map((value) => ({
              // Spelled where somebody reads it.
              get where() {
                return `${nameOf(place)}.${name}: ${spellAtom(atom).slice(0, 80)} → ${JSON.stringify(value).slice(0, 80)}`
              },
              change: () => withStep(program, place, put({ kind: 'literal', value })),
            }))
          : [],
      ),
    ),
}

/**
 * Values of the same type, each one step away; of a list or object those with one part changed, or without an
 * element.
 */
function neighbours(value: Json): Json[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return steps(value)
  if (typeof value === 'string') return [`${value}_`]
  if (value === null) return [0]
  if (Array.isArray(value)) {
    if (value.length === 0) return [[0]]
    const changed = value.flatMap((item, index) => neighbours(item).map((other) => value.with(index, other)))
    return [...changed, ...value.map((_, index) => value.toSpliced(index, 1))]
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return [{ key: 0 }]
  return entries.flatMap(([key, item]) => neighbours(item).map((other) => ({ ...value, [key]: other })))
}

const steps = (value: number) =>
  Number.isInteger(value)
    ? [value - 1, value + 1]
    : [-0.01, 0.01].map((step) => Math.round((value + step) * 1e6) / 1e6)
