import type { VariableReference } from '@stateeval/contracts'
import { canonicalJson } from '@stateeval/contracts'
import type { MutationOperator } from '../operator.ts'
import { collectNamesBefore, findProducerApi, referenceSlotsOf, formatPlainReference } from '../positions.ts'

export const wrongId: MutationOperator = {
  id: 'wrong_id',
  about: 'The id of another response is used, or of another element of the same response',
  sites: (program) => {
    const slots = referenceSlotsOf(program).filter(({ reference }) => reference.path.at(-1) === 'id')
    return slots.flatMap(({ place, where, reference, put }) => {
      const names = new Set(collectNamesBefore(program, place))
      const others: VariableReference[] = [
        ...reference.path.flatMap((key, n) =>
          typeof key === 'number'
            ? listIndexNeighbours(key).map((index) => ({ ...reference, path: reference.path.with(n, index) }))
            : [],
        ),
        ...slots.map((slot) => slot.reference),
        // A call that adds something returns its id.
        ...[...names].flatMap((variable) =>
          isAdd(findProducerApi(program, variable)) ? [{ ...reference, variable, path: ['id'] }] : [],
        ),
      ]
      const candidates = new Map(others.map((other) => [canonicalJson(other), other]))
      candidates.delete(canonicalJson(reference))
      return [...candidates.values()]
        .filter(({ variable }) => names.has(variable))
        .map((other) => ({ where: `${where} → ${formatPlainReference(other)}`, change: () => put(other) }))
    })
  },
}

const listIndexNeighbours = (index: number) => (index === 0 ? [1] : [index - 1, index + 1])
const isAdd = (call: ReturnType<typeof findProducerApi>) =>
  call?.kind === 'http' && call.method === 'POST' && !call.path.includes('query')
