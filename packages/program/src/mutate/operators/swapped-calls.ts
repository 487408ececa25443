import type { ProgramStep } from '@stateeval/contracts'
import { listBlocks } from '../../blocks.ts'
import { isCall } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { getBinding, hasVariable, withSteps } from '../positions.ts'

export const swappedCalls: MutationOperator = {
  id: 'swapped_calls',
  about: 'Two neighbouring steps are exchanged',
  sites: (program) =>
    listBlocks(program).flatMap(([block, { steps }]) =>
      steps.slice(1).flatMap((second, index) => {
        const first = steps[index]
        if (!first || (!isCall(first) && !isCall(second)) || areIndependent(first, second)) return []
        const boundName = getBinding(first)
        // A step that needs the first's output cannot come before it in any program that runs.
        if (boundName && hasVariable(second, boundName)) return []
        const change = () =>
          withSteps(program, block, (now) => now.with(index, second).with(index + 1, first))
        if (JSON.stringify(first) === JSON.stringify(second)) return []
        return [{ where: `${block}[${index}] and [${index + 1}]`, change }]
      }),
    ),
}

/**
 * The output of a function or tool depends only on its arguments: asking for it earlier or later never shows.
 */
const areIndependent = (first: ProgramStep, second: ProgramStep) => {
  const [one, other] = [isFunction(first), isFunction(second)]
  return one && other && (getBinding(first) !== undefined || getBinding(second) !== undefined)
}
const isFunction = (step: ProgramStep) => isCall(step) && step.kind !== 'http'
