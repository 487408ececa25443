import type { Call } from '@stateeval/contracts'
import { isCall } from '../../expr.ts'
import { type MutationOperator, type MutationSite, StepSite } from '../operator.ts'
import { placesOf } from '../positions.ts'

export const droppedArgument: MutationOperator = {
  id: 'dropped_argument',
  about: 'An argument of a function or tool is omitted: its default applies, or the call fails',
  sites(program) {
    const sites: MutationSite[] = []
    for (const [place, step] of placesOf(program)) {
      if (!isCall(step) || step.kind === 'http') continue
      const positional = step.kind === 'function' ? (step.positional ?? []) : []
      for (const name of Object.keys(step.args)) {
        // Among arguments by position only the last can be left out.
        if (positional.includes(name) && name !== positional.at(-1)) continue
        const spell = () => `: ${step.api} without ${name}`
        sites.push(new StepSite(program, place, () => [removeArgument(step, name, positional)], spell))
      }
    }
    return sites
  },
}

function removeArgument(call: Call, name: string, positional: readonly string[]): Call {
  const { [name]: _, ...args } = call.args
  return call.kind !== 'function' || !positional.includes(name)
    ? { ...call, args }
    : { ...call, args, positional: positional.slice(0, -1) }
}
