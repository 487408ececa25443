import { at } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { initialValue, referenceSlotsOf } from '../positions.ts'
import { typeName } from '../../json.ts'

export const wrongField: MutationOperator = {
  id: 'wrong_field',
  about: 'Another field of the same variable is used',
  sites: (program) =>
    referenceSlotsOf(program).flatMap((slot) => {
      const { reference, put } = slot
      const [last] = reference.path.slice(-1)
      if (last === undefined) return []
      const parent = at(initialValue(program, reference.variable), reference.path.slice(0, -1))
      if (parent === null || typeof parent !== 'object' || Array.isArray(parent)) return []
      const fields = parent as Record<string, unknown>
      return Object.keys(fields)
        .filter((key) => key !== last && typeName(fields[key]) === typeName(fields[last as string]))
        .map((key) => ({
          // Spelled where somebody reads it.
          get where() {
            return `${slot.where} → ${key}`
          },
          change: () => put({ ...reference, path: [...reference.path.slice(0, -1), key] }),
        }))
    }),
}
