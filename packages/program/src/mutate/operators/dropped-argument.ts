import { isCall } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { nameOf, placesOf, withStep } from '../positions.ts'

export const droppedArgument: MutationOperator = {
  id: 'dropped_argument',
  about: 'An argument of a function or tool is left out: its default is taken, or the call fails',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) => {
      if (!isCall(step) || step.kind === 'http') return []
      const positional = step.kind === 'function' ? (step.positional ?? []) : []
      // Of what is passed by position, only the last can be left out.
      const names = Object.keys(step.args).filter(
        (name) => !positional.includes(name) || name === positional.at(-1),
      )
      return names.map((name) => ({
        where: `${nameOf(place)}: ${step.api} without ${name}`,
        change: () => {
          const { [name]: _, ...args } = step.args
          if (step.kind !== 'function' || !positional.includes(name))
            return withStep(program, place, { ...step, args })
          return withStep(program, place, { ...step, args, positional: positional.slice(0, -1) })
        },
      }))
    }),
}
