import { at } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { initialValue, nameOf, namesBefore, placesOf, producerOf, slotsOf, spellReference, typeName, withStep } from '../places.ts'

export const wrongVariable: MutationOperator = {
  id: 'wrong_variable',
  about: 'The same part of another variable is used, such as another variable’s source or type',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) =>
      slotsOf(step).flatMap(({ name, atom, put }) => {
        if (atom.kind !== 'reference' || atom.path[atom.path.length - 1] === 'id') return []
        const { variable, path } = atom
        const ours = at(initialValue(program, variable), path)
        const twins = namesBefore(program, place).filter((other) => {
          if (other === variable) return false
          if (ours !== undefined) return typeName(at(initialValue(program, other), path)) === typeName(ours)
          const producer = producerOf(program, variable)
          return producer !== undefined && producerOf(program, other)?.api === producer.api
        })
        return twins.map((other) => ({
          where: `${nameOf(place)}.${name}: ${spellReference(atom)} → ${other}`,
          change: () => withStep(program, place, put({ ...atom, variable: other })),
        }))
      }),
    ),
}
