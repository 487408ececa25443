import type { Condition, Program } from '@stateeval/contracts'
import { at } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { initialValue, namesBefore, producerOf, unnamed } from '../positions.ts'
import { typeName } from '../../json.ts'

export const wrongCondition: MutationOperator = {
  id: 'wrong_condition',
  about: 'The condition tests a different variable, element or field',
  sites: (program) => {
    const { branch } = program
    if (!branch) return []
    return others(program, branch.condition).map((condition) => ({
      where: `if: ${spellCondition(branch.condition)} → ${spellCondition(condition)}`,
      change: () => unnamed({ ...program, branch: { ...branch, condition } }),
    }))
  },
}

const spellCondition = ({ variable, path, measure }: Condition) =>
  `${measure === 'count' ? 'count of ' : ''}${[variable, ...path].join('.')}`

function others(program: Program, condition: Condition): Condition[] {
  const { variable, path } = condition
  const names = namesBefore(program, { block: 'then', index: 0 }).filter(
    (name) => name !== variable && name !== condition.equals,
  )
  const value = initialValue(program, variable)
  const twins = names.filter((name) => {
    if (value !== undefined)
      return typeName(at(initialValue(program, name), path)) === typeName(at(value, path))
    return producerOf(program, name)?.api === producerOf(program, variable)?.api
  })
  const elements = path.flatMap((key, n) =>
    typeof key === 'number' ? [path.with(n, key === 0 ? 1 : key - 1)] : [],
  )
  const parent = at(value, path.slice(0, -1))
  const siblings =
    parent !== null && typeof parent === 'object' && !Array.isArray(parent)
      ? Object.keys(parent).filter((key) => key !== path.at(-1))
      : []
  const fields = siblings
    .filter((key) => typeName((parent as Record<string, unknown>)[key]) === typeName(at(value, path)))
    .map((key) => [...path.slice(0, -1), key])
  return [
    ...twins.map((name) => ({ ...condition, variable: name })),
    ...[...elements, ...fields].map((other) => ({ ...condition, path: other })),
  ]
}
