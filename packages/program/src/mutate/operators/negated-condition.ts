import { isDeepStrictEqual } from 'node:util'
import type { MutationOperator } from '../operator.ts'
import { createUnnamedProgram } from '../positions.ts'

export const negatedCondition: MutationOperator = {
  id: 'negated_condition',
  about: 'The branches are exchanged',
  sites: (program) => {
    const { branch } = program
    if (!branch || isDeepStrictEqual(branch.then, branch.otherwise)) return []
    const change = () =>
      createUnnamedProgram({
        ...program,
        branch: { ...branch, then: branch.otherwise, otherwise: branch.then },
      })
    return [{ where: 'if', change }]
  },
}
