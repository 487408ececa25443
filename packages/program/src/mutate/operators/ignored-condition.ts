import type { MutationOperator } from '../operator.ts'
import { createUnnamedProgram } from '../positions.ts'

export const ignoredCondition: MutationOperator = {
  id: 'ignored_condition',
  about: 'One branch is always taken, regardless of the condition',
  sites: (program) => {
    const { branch, ...straight } = program
    if (!branch) return []
    return (['then', 'otherwise'] as const).map((name) => ({
      where: `always ${name}`,
      change: () =>
        createUnnamedProgram({
          ...straight,
          body: [...program.body, ...branch[name].steps],
          result: branch[name].result,
        }),
    }))
  },
}
