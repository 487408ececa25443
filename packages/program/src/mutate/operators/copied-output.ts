import { isCall, createRef } from '../../expr.ts'
import { type MutationOperator, StepSite } from '../operator.ts'
import { placesOf } from '../positions.ts'

/**
 * Never drawn for mutants: models see no output, and a tensor cannot be written as a constant. It shows
 * whether a case's inputs distinguish a call's output in another world.
 */
export const copiedOutput: MutationOperator = {
  id: 'copied_output',
  about: 'A call is omitted: its true answer on one input replaces its output on all inputs',
  sites: (program, facts) =>
    placesOf(program).flatMap(([place, step]) => {
      if (!isCall(step) || !step.binds) return []
      const { binds } = step
      const value = facts?.answers.get(binds)
      if (value === undefined) return []
      const edit = {
        kind: 'edit' as const,
        target: createRef(binds),
        value: { kind: 'literal' as const, value },
      }
      return [
        new StepSite(
          program,
          place,
          () => [edit],
          () => `: ${step.api}`,
        ),
      ]
    }),
}
