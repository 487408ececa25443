import type { Json } from '@stateeval/contracts'
import type { Rng } from '../../rng.ts'
import type { MutationOperator } from '../operator.ts'
import { nameOf, placesOf, slotsOf, spellAtom, withStep } from '../positions.ts'

export const changedLiteral: MutationOperator = {
  id: 'changed_literal',
  about: 'A constant has another value of the same type',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) =>
      slotsOf(step).flatMap(({ name, atom, put }) =>
        atom.kind === 'literal'
          ? [
              {
                where: `${nameOf(place)}.${name}: ${spellAtom(atom).slice(0, 80)}`,
                change: (rng) =>
                  withStep(program, place, put({ kind: 'literal', value: another(atom.value as Json, rng) })),
              },
            ]
          : [],
      ),
    ),
}

/** Another value of the same type: something inside a list or object, where it has something. */
function another(value: Json, rng: Rng): Json {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number')
    return Number.isInteger(value) ? value + rng.pick([-1, 1, 10]) : value + rng.pick([-0.5, 0.25, 1.5])
  if (typeof value === 'string')
    return rng.pick([`${value} 2`, `${value}_`, value.length > 1 ? value.slice(0, -1) : `${value}${value}x`])
  if (value === null) return 0
  if (Array.isArray(value)) {
    if (value.length === 0) return [0]
    const index = rng.int(0, value.length - 1)
    return rng.chance(0.5) ? value.toSpliced(index, 1) : value.with(index, another(value[index] as Json, rng))
  }
  const keys = Object.keys(value)
  if (keys.length === 0) return { key: 0 }
  const key = rng.pick(keys)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === key ? another(item, rng) : item]),
  )
}
