import { isCall } from '../../expr.ts'
import { removeStep } from '../drop.ts'
import type { MutationOperator } from '../operator.ts'
import { formatPosition, placesOf } from '../positions.ts'

export const droppedCall: MutationOperator = {
  id: 'dropped_call',
  about: 'A call is omitted, with everything that depends on its output',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) =>
      isCall(step)
        ? [{ where: `${formatPosition(place)}: ${step.api}`, change: () => removeStep(program, place) }]
        : [],
    ),
}
