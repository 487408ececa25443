import type { FunctionCall, ToolCall } from '@stateeval/contracts'
import { isCall } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { formatPosition, placesOf, withStep } from '../positions.ts'

export const wrongFunction: MutationOperator = {
  id: 'wrong_function',
  about: 'A different function or tool is called',
  sites: (program) => {
    const calls = placesOf(program).flatMap(([place, step]) =>
      isCall(step) && step.kind !== 'http' ? [{ place, step }] : [],
    )
    return calls.flatMap(({ place, step }) => {
      const others = new Map(
        calls
          .filter((other) => other.step.kind === step.kind && other.step.api !== step.api)
          .map((other) => [other.step.api, other.step]),
      )
      return [...others.values()].map((other) => ({
        where: `${formatPosition(place)}: ${step.api} → ${other.api}`,
        change: () => withStep(program, place, callOtherName(step, other)),
      }))
    })
  },
}

type NamedCall = FunctionCall | ToolCall

/**
 * The call with the other's name; of its arguments those that the other has too, so that it may well be
 * accepted.
 */
function callOtherName(step: NamedCall, other: NamedCall): NamedCall {
  if (step.kind === 'function' && other.kind === 'function') return moveArguments(step, other)
  const sharedArgs = Object.entries(step.args).filter(([name]) => Object.hasOwn(other.args, name))
  return { ...step, args: sharedArgs.length > 0 ? Object.fromEntries(sharedArgs) : step.args, api: other.api }
}

/** The same arguments at the same places, which have other names there. */
function moveArguments(
  step: FunctionCall,
  { api, name, positional: places = [] }: FunctionCall,
): FunctionCall {
  const { positional = [] } = step
  const names = new Map(positional.map((arg, at) => [arg, places[at] ?? `extra_${at}`]))
  const args = Object.fromEntries(
    Object.entries(step.args).map(([arg, value]) => [names.get(arg) ?? arg, value]),
  )
  return {
    ...step,
    api,
    name,
    args,
    ...(step.positional && { positional: positional.map((arg) => names.get(arg) as string) }),
  }
}
