import type { FunctionCall, ToolCall } from '@stateeval/contracts'
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
        change: () => withStep(program, place, calledAs(step, other)),
      }))
    })
  },
}

type Named = FunctionCall | ToolCall

/** The call with the other's name; of its arguments those that the other has too, so that it may well be accepted. */
function calledAs(step: Named, other: Named): Named {
  const shared = Object.entries(step.args).filter(([name]) => Object.hasOwn(other.args, name))
  const args = shared.length > 0 && step.kind === 'tool' ? Object.fromEntries(shared) : step.args
  return { ...step, args, api: other.api, ...(other.kind === 'function' ? { name: other.name } : {}) }
}
