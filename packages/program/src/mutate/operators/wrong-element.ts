import type { MutationOperator } from '../operator.ts'
import { referenceSlotsOf, formatPlainReference } from '../positions.ts'

export const wrongElement: MutationOperator = {
  id: 'wrong_element',
  about: 'Another element of a list is taken',
  sites: (program) =>
    referenceSlotsOf(program).flatMap(({ where, reference, put }) => {
      // Ids have a separate operator.
      if (reference.path.at(-1) === 'id') return []
      return reference.path.flatMap((key, n) => {
        if (typeof key !== 'number') return []
        const other = { ...reference, path: reference.path.with(n, key === 0 ? 1 : key - 1) }
        return [{ where: `${where} → ${formatPlainReference(other)}`, change: () => put(other) }]
      })
    }),
}
