import { canonicalJson } from '@stateeval/contracts'
import { isCall } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { formatPosition, placesOf, withStep } from '../positions.ts'

export const swappedArguments: MutationOperator = {
  id: 'swapped_arguments',
  about: 'Two arguments of a call are exchanged',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) => {
      if (!isCall(step)) return []
      const names = Object.keys(step.args)
      return names.flatMap((a, n) =>
        names.slice(n + 1).flatMap((b) => {
          const [one, two] = [step.args[a], step.args[b]]
          if (!one || !two || canonicalJson(one) === canonicalJson(two)) return []
          const change = () =>
            withStep(program, place, { ...step, args: { ...step.args, [a]: two, [b]: one } })
          return [{ where: `${formatPosition(place)}: ${a} and ${b}`, change }]
        }),
      )
    }),
}
