import { at } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { initialValue, nameOf, placesOf, slotsOf, spellReference, typeName, withStep } from '../places.ts'

export const wrongField: MutationOperator = {
  id: 'wrong_field',
  about: 'Another field of the same variable is used',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) =>
      slotsOf(step).flatMap(({ name, atom, put }) => {
        if (atom.kind !== 'reference' || atom.path.length === 0) return []
        const [last] = atom.path.slice(-1)
        const parent = at(initialValue(program, atom.variable), atom.path.slice(0, -1))
        if (parent === null || typeof parent !== 'object' || Array.isArray(parent)) return []
        const fields = parent as Record<string, unknown>
        return Object.keys(fields)
          .filter((key) => key !== last && typeName(fields[key]) === typeName(fields[last as string]))
          .map((key) => ({
            where: `${nameOf(place)}.${name}: ${spellReference(atom)} → ${key}`,
            change: () => withStep(program, place, put({ ...atom, path: [...atom.path.slice(0, -1), key] })),
          }))
      }),
    ),
}
