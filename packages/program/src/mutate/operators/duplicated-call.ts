import type { Call } from '@stateeval/contracts'
import { isCall } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { formatPosition, placesOf, withSteps } from '../positions.ts'

export const duplicatedCall: MutationOperator = {
  id: 'duplicated_call',
  about: 'A call that may change something is made twice',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) => {
      if (!isCall(step) || isReadOnly(step)) return []
      const { binds: _, ...again } = step
      const change = () =>
        withSteps(program, place.block, (steps) => steps.toSpliced(place.index + 1, 0, again))
      return [{ where: `${formatPosition(place)}: ${step.api}`, change }]
    }),
}

/**
 * Tells whether repeating a call never shows: a second read, or a function or tool that returns the same
 * value. Such a mutant is equivalent by definition.
 */
const isReadOnly = (call: Call) => (call.kind === 'http' ? call.method === 'GET' : call.binds !== undefined)
