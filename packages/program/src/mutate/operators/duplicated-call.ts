import { isCall } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { nameOf, placesOf, withSteps } from '../places.ts'

export const duplicatedCall: MutationOperator = {
  id: 'duplicated_call',
  about: 'A call that may change something is made twice',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) => {
      // A second read never shows: it would be equivalent by definition.
      if (!isCall(step) || (step.kind === 'http' && step.method === 'GET')) return []
      const { binds: _, ...again } = step
      const change = () => withSteps(program, place.block, (steps) => steps.toSpliced(place.index + 1, 0, again))
      return [{ where: `${nameOf(place)}: ${step.api}`, change }]
    }),
}
