import { branchSides, listIfs, withBlock } from '../../blocks.ts'
import type { MutationOperator } from '../operator.ts'
import { formatIf } from '../positions.ts'

export const ignoredCondition: MutationOperator = {
  id: 'ignored_condition',
  about: 'One branch is always taken, regardless of the condition',
  sites: (program) =>
    listIfs(program).flatMap(({ block, branch }) =>
      branchSides.map((side) => ({
        where: block === 'body' ? `always ${side}` : `${formatIf(block)}: always ${side}`,
        change: () =>
          withBlock(program, block, ({ steps }) => ({
            ...branch[side],
            steps: [...steps, ...branch[side].steps],
          })),
      })),
    ),
}
