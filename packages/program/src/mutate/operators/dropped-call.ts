import { isCall } from '../../expr.ts'
import { without } from '../drop.ts'
import type { MutationOperator } from '../operator.ts'
import { nameOf, placesOf } from '../positions.ts'

export const droppedCall: MutationOperator = {
  id: 'dropped_call',
  about: 'A call is omitted, with everything that depends on its output',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) =>
      isCall(step) ? [{ where: `${nameOf(place)}: ${step.api}`, change: () => without(program, place) }] : [],
    ),
}
