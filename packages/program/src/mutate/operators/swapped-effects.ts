import type { ProgramStep } from '@stateeval/contracts'
import { listBlocks } from '../../blocks.ts'
import { isCall } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { getBinding, isEffect, hasVariable, withSteps } from '../positions.ts'

export const swappedEffects: MutationOperator = {
  id: 'swapped_effects',
  about: 'Two calls with effects are exchanged, with other steps between them',
  sites: (program) =>
    listBlocks(program).flatMap(([block, { steps }]) =>
      steps.flatMap((first, from) =>
        steps.slice(from + 2).flatMap((second, beyond) => {
          const to = from + 2 + beyond
          if (!isCall(first) || !isCall(second) || !isEffect(first) || !isEffect(second)) return []
          // A step that needs an output cannot come before it in any program that runs.
          const moved = steps.slice(from, to + 1)
          const needs = (step: ProgramStep, other: ProgramStep) => hasVariable(step, getBinding(other) ?? '')
          if (moved.some((step) => needs(step, first) || needs(second, step))) return []
          return [
            {
              where: `${block}[${from}] and [${to}]`,
              change: () => withSteps(program, block, (now) => now.with(from, second).with(to, first)),
            },
          ]
        }),
      ),
    ),
}
