import type { Reference } from '@stateeval/contracts'
import { canonicalJson } from '../../canonical.ts'
import type { MutationOperator } from '../operator.ts'
import { nameOf, namesBefore, placesOf, producerOf, slotsOf, spellReference, withStep } from '../places.ts'

const isId = ({ path }: Reference) => path[path.length - 1] === 'id'

export const wrongId: MutationOperator = {
  id: 'wrong_id',
  about: 'The id of another response is used, or of another element of the same response',
  sites: (program) => {
    const places = placesOf(program)
    const ids = places.flatMap(([, step]) => slotsOf(step).flatMap(({ atom }) => (atom.kind === 'reference' && isId(atom) ? [atom] : [])))
    return places.flatMap(([place, step]) => {
      const names = new Set(namesBefore(program, place))
      return slotsOf(step).flatMap(({ name, atom, put }) => {
        if (atom.kind !== 'reference' || !isId(atom)) return []
        const others: Reference[] = [
          ...atom.path.flatMap((key, n) =>
            typeof key === 'number' ? neighbours(key).map((index) => ({ ...atom, path: atom.path.with(n, index) })) : [],
          ),
          ...ids,
          // What adds something answers with its id.
          ...[...names].flatMap((variable) => (isAdd(producerOf(program, variable)) ? [{ ...atom, variable, path: ['id'] }] : [])),
        ]
        const known = new Map(others.map((other) => [canonicalJson(other), other]))
        known.delete(canonicalJson(atom))
        return [...known.values()]
          .filter(({ variable }) => names.has(variable))
          .map((other) => ({
            where: `${nameOf(place)}.${name}: ${spellReference(atom)} → ${spellReference(other)}`,
            change: () => withStep(program, place, put(other)),
          }))
      })
    })
  },
}

const neighbours = (index: number) => (index === 0 ? [1] : [index - 1, index + 1])
const isAdd = (call: ReturnType<typeof producerOf>) => call?.kind === 'http' && call.method === 'POST' && !call.path.includes('query')
