import { isCall, formatReference } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { formatPosition, placesOf, withSteps } from '../positions.ts'

export const droppedEdit: MutationOperator = {
  id: 'dropped_edit',
  about: 'A local edit is omitted',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) => {
      if (isCall(step)) return []
      const change = () => withSteps(program, place.block, (steps) => steps.toSpliced(place.index, 1))
      return [{ where: `${formatPosition(place)}: ${formatReference(step.target)}`, change }]
    }),
}
