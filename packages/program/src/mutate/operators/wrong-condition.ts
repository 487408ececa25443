import type { Condition, Program } from '@stateeval/contracts'
import { type BlockName, listIfs, withBlock } from '../../blocks.ts'
import { readPath } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { getInitialValue, collectNamesBefore, findProducerApi, formatIf } from '../positions.ts'
import { describeType } from '../../json.ts'

export const wrongCondition: MutationOperator = {
  id: 'wrong_condition',
  about: 'The condition tests a different variable, element or field',
  sites: (program) =>
    listIfs(program).flatMap(({ block, branch }) =>
      listOtherConditions(program, block, branch.condition).map((condition) => ({
        where: `${formatIf(block)}: ${formatCondition(branch.condition)} → ${formatCondition(condition)}`,
        change: () => withBlock(program, block, (one) => ({ ...one, branch: { ...branch, condition } })),
      })),
    ),
}

const formatCondition = ({ variable, path, measure }: Condition) =>
  `${measure === 'count' ? 'count of ' : ''}${[variable, ...path].join('.')}`

function listOtherConditions(program: Program, block: BlockName, condition: Condition): Condition[] {
  const { variable, path } = condition
  const names = collectNamesBefore(program, { block, index: Infinity }).filter(
    (name) => name !== variable && name !== condition.equals,
  )
  const value = getInitialValue(program, variable)
  const twins = names.filter((name) => {
    if (value !== undefined)
      return (
        describeType(readPath(getInitialValue(program, name), path)) === describeType(readPath(value, path))
      )
    return findProducerApi(program, name)?.api === findProducerApi(program, variable)?.api
  })
  const elements = path.flatMap((key, n) =>
    typeof key === 'number' ? [path.with(n, key === 0 ? 1 : key - 1)] : [],
  )
  const parent = readPath(value, path.slice(0, -1))
  const siblings =
    parent !== null && typeof parent === 'object' && !Array.isArray(parent)
      ? Object.keys(parent).filter((key) => key !== path.at(-1))
      : []
  const fields = siblings
    .filter(
      (key) => describeType((parent as Record<string, unknown>)[key]) === describeType(readPath(value, path)),
    )
    .map((key) => [...path.slice(0, -1), key])
  return [
    ...twins.map((name) => ({ ...condition, variable: name })),
    ...[...elements, ...fields].map((other) => ({ ...condition, path: other })),
  ]
}
