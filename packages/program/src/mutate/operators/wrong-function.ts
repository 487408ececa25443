import { isCall } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { nameOf, placesOf, withStep } from '../places.ts'

export const wrongFunction: MutationOperator = {
  id: 'wrong_function',
  about: 'A function or tool is called where another one should be',
  sites: (program) => {
    const calls = placesOf(program).flatMap(([place, step]) => (isCall(step) && step.kind !== 'http' ? [{ place, step }] : []))
    return calls.flatMap(({ place, step }) => {
      const others = new Map(
        calls.filter((other) => other.step.kind === step.kind && other.step.api !== step.api).map((other) => [other.step.api, other.step]),
      )
      return [...others.values()].map((other) => ({
        where: `${nameOf(place)}: ${step.api} → ${other.api}`,
        change: () => withStep(program, place, { ...step, api: other.api, ...(other.kind === 'function' ? { name: other.name } : {}) }),
      }))
    })
  },
}
