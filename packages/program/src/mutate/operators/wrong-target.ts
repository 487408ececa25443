import { at, isCall, spell } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { initialValue, nameOf, namesBefore, placesOf, withStep } from '../positions.ts'
import { typeName } from '../../json.ts'

export const wrongTarget: MutationOperator = {
  id: 'wrong_target',
  about: 'A local edit changes another variable or another field',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) => {
      if (isCall(step) || step.target.path.length === 0) return []
      const { variable, path } = step.target
      const parentPath = path.slice(0, -1)
      const parent = at(initialValue(program, variable), parentPath)
      const isObject = parent !== null && typeof parent === 'object' && !Array.isArray(parent)
      const fields = isObject ? Object.keys(parent).filter((key) => key !== path.at(-1)) : []
      const twins = namesBefore(program, place).filter(
        (other) => other !== variable && typeName(at(initialValue(program, other), parentPath)) === 'object',
      )
      const targets = [
        ...fields.map((key) => ({ ...step.target, path: [...parentPath, key] })),
        ...twins.map((other) => ({ ...step.target, variable: other })),
      ]
      return targets.map((target) => ({
        where: `${nameOf(place)}: ${spell(step.target)} → ${spell(target)}`,
        change: () => withStep(program, place, { ...step, target }),
      }))
    }),
}
