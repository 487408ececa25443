import { at } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { initialValue, namesBefore, producerOf, referenceSlotsOf } from '../positions.ts'
import { typeName } from '../../json.ts'

export const wrongVariable: MutationOperator = {
  id: 'wrong_variable',
  about: 'The same part of another variable is used, such as another variable’s source or type',
  sites: (program) => {
    return referenceSlotsOf(program).flatMap(({ place, where, reference, put }) => {
      const { variable, path } = reference
      // For a variable as a whole, that is the operator wrong_operand.
      if (path.length === 0 || path.at(-1) === 'id') return []
      const ours = at(initialValue(program, variable), path)
      const twins = namesBefore(program, place).filter((other) => {
        if (other === variable) return false
        if (ours !== undefined) return typeName(at(initialValue(program, other), path)) === typeName(ours)
        const producer = producerOf(program, variable)
        return producer !== undefined && producerOf(program, other)?.api === producer.api
      })
      return twins.map((other) => ({
        where: `${where} → ${other}`,
        change: () => put({ ...reference, variable: other }),
      }))
    })
  },
}
