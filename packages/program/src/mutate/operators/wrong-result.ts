import type { StepBlock, Program, VariableReference } from '@stateeval/contracts'
import { type BlockName, listBlocks, withBlock } from '../../blocks.ts'
import type { MutationOperator } from '../operator.ts'
import { collectNamesBefore, formatPlainReference } from '../positions.ts'

export const wrongResult: MutationOperator = {
  id: 'wrong_result',
  about: 'An entry of RESULT is missing, or contains another variable or another element',
  sites: (program) =>
    listBlocks(program).flatMap(([name, block]) =>
      block.result.flatMap(({ key, value }, index) => {
        const put = (result: StepBlock['result']) => () =>
          withBlock(program, name, (one) => ({ ...one, result }))
        const drop = { where: `${name}.${key}: left out`, change: put(block.result.toSpliced(index, 1)) }
        const replaced = listOtherResults(program, name, block, value).map((other) => ({
          where: `${name}.${key}: ${formatPlainReference(value)} → ${formatPlainReference(other)}`,
          change: put(block.result.with(index, { key, value: other })),
        }))
        return [drop, ...replaced]
      }),
    ),
}

function listOtherResults(
  program: Program,
  name: BlockName,
  block: StepBlock,
  value: VariableReference,
): VariableReference[] {
  const placeholders = new Set(
    program.variables.filter(({ role }) => role === 'placeholder').map((variable) => variable.name),
  )
  const names = collectNamesBefore(program, { block: name, index: block.steps.length }).filter(
    (other) => other !== value.variable && !placeholders.has(other),
  )
  const elements = value.path.flatMap((key, n) =>
    typeof key === 'number' ? [{ ...value, path: value.path.with(n, key === 0 ? 1 : key - 1) }] : [],
  )
  return [
    ...elements,
    ...names.map((variable): VariableReference => ({ kind: 'reference', variable, path: [] })),
  ]
}
