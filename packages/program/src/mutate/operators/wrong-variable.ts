import { readPath } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { getInitialValue, collectNamesBefore, findProducerApi, referenceSlotsOf } from '../positions.ts'
import { describeType } from '../../json.ts'

export const wrongVariable: MutationOperator = {
  id: 'wrong_variable',
  about: 'The same part of another variable is used, such as another variable’s source or type',
  sites: (program) => {
    return referenceSlotsOf(program).flatMap(({ place, where, reference, put }) => {
      const { variable, path } = reference
      // A variable as a whole belongs to the operator wrong_operand.
      if (path.length === 0 || path.at(-1) === 'id') return []
      const ours = readPath(getInitialValue(program, variable), path)
      const twins = collectNamesBefore(program, place).filter((other) => {
        if (other === variable) return false
        if (ours !== undefined)
          return describeType(readPath(getInitialValue(program, other), path)) === describeType(ours)
        const producer = findProducerApi(program, variable)
        return producer !== undefined && findProducerApi(program, other)?.api === producer.api
      })
      return twins.map((other) => ({
        where: `${where} → ${other}`,
        change: () => put({ ...reference, variable: other }),
      }))
    })
  },
}
