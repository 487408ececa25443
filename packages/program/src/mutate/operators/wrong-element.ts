import type { MutationOperator } from '../operator.ts'
import { nameOf, placesOf, slotsOf, spellReference, withStep } from '../places.ts'

export const wrongElement: MutationOperator = {
  id: 'wrong_element',
  about: 'Another element of a list is taken',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) =>
      slotsOf(step).flatMap(({ name, atom, put }) => {
        // Ids have an operator of their own.
        if (atom.kind !== 'reference' || atom.path[atom.path.length - 1] === 'id') return []
        return atom.path.flatMap((key, n) => {
          if (typeof key !== 'number') return []
          const other = { ...atom, path: atom.path.with(n, key === 0 ? 1 : key - 1) }
          return [
            {
              where: `${nameOf(place)}.${name}: ${spellReference(atom)} → ${spellReference(other)}`,
              change: () => withStep(program, place, put(other)),
            },
          ]
        })
      }),
    ),
}
