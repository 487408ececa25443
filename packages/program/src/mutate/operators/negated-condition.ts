import { isDeepStrictEqual } from 'node:util'
import { listIfs, withBlock } from '../../blocks.ts'
import type { MutationOperator } from '../operator.ts'
import { formatIf } from '../positions.ts'

export const negatedCondition: MutationOperator = {
  id: 'negated_condition',
  about: 'The branches are exchanged',
  sites: (program) =>
    listIfs(program).flatMap(({ block, branch }) => {
      if (isDeepStrictEqual(branch.then, branch.otherwise)) return []
      const exchanged = { ...branch, then: branch.otherwise, otherwise: branch.then }
      const change = () => withBlock(program, block, (one) => ({ ...one, branch: exchanged }))
      return [{ where: formatIf(block), change }]
    }),
}
