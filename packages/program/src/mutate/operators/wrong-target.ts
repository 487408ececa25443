import { readPath, isCall, formatReference } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { getInitialValue, formatPosition, collectNamesBefore, placesOf, withStep } from '../positions.ts'
import { describeType } from '../../json.ts'

export const wrongTarget: MutationOperator = {
  id: 'wrong_target',
  about: 'A local edit changes another variable or another field',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) => {
      if (isCall(step) || step.target.path.length === 0) return []
      const { variable, path } = step.target
      const parentPath = path.slice(0, -1)
      const parent = readPath(getInitialValue(program, variable), parentPath)
      const isObject = parent !== null && typeof parent === 'object' && !Array.isArray(parent)
      const fields = isObject ? Object.keys(parent).filter((key) => key !== path.at(-1)) : []
      const twins = collectNamesBefore(program, place).filter(
        (other) =>
          other !== variable &&
          describeType(readPath(getInitialValue(program, other), parentPath)) === 'object',
      )
      const targets = [
        ...fields.map((key) => ({ ...step.target, path: [...parentPath, key] })),
        ...twins.map((other) => ({ ...step.target, variable: other })),
      ]
      return targets.map((target) => ({
        where: `${formatPosition(place)}: ${formatReference(step.target)} → ${formatReference(target)}`,
        change: () => withStep(program, place, { ...step, target }),
      }))
    }),
}
