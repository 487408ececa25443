/** The steps that a mutant shares with its program: unchanged steps are the same objects. */
import type { StepBlock, Condition, Program, ProgramStep } from '@stateeval/contracts'
import { isCall, listBlocks, listExecutionPaths, listIfs, listReferences, memoize } from '@stateeval/program'

/** The number of equal steps at the beginning of two lists. */
export function countSharedSteps(a: readonly ProgramStep[], b: readonly ProgramStep[], from = 0): number {
  let count = 0
  while (count < a.length && a[count] === b[from + count]) count++
  return count
}
/** The number of equal steps at their end, after the equal beginning. */
export function countSharedAtEnd(
  a: readonly ProgramStep[],
  b: readonly ProgramStep[],
  begin: number,
): number {
  let count = 0
  const most = Math.min(a.length, b.length) - begin
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count++
  return count
}

/**
 * Tells whether only the conditions read their constants: then a run reaches an if in the same state for any
 * constants.
 */
export const onlyConditionsRead = memoize((program: Program): boolean => {
  const constants = new Set(listIfs(program).map(({ branch }) => branch.condition.equals))
  const isConstant = ({ variable }: { variable: string }) => constants.has(variable)
  return listBlocks(program).every(
    ([, { steps, result }]) =>
      !steps.some((step) => listReferences(step).some(isConstant)) &&
      !result.some(({ value }) => isConstant(value)),
  )
}, 2)

/** The variable that a step sets; undefined if it sets none. */
export const getSetVariable = (step: ProgramStep) => (isCall(step) ? step.binds : step.target.variable)

/** The variables that a step reads. An edit also reads the variable that it partly changes. */
export const readBy = memoize(
  (step: ProgramStep): readonly string[] => [
    ...new Set(listReferences(step).map(({ variable }) => variable)),
  ],
  64,
)

export const isAsked = ({ variable, equals }: Condition, name: string | undefined) =>
  name === variable || name === equals

type ResultBlock = StepBlock['result']
/** Tells whether two RESULTs have the same keys: different keys are observable for any values. */
export const hasSameResultKeys = (a: ResultBlock, b: ResultBlock): boolean =>
  a === b || (a.length === b.length && a.every(({ key }) => b.some((entry) => entry.key === key)))
/** Tells whether RESULT may be the same at the ends of two paths. */
export const branchesLookAlike = memoize((program: Program): boolean => {
  const results = listExecutionPaths(program).map(({ result }) => result)
  return results.some((one, index) => results.slice(index + 1).some((other) => hasSameResultKeys(one, other)))
}, 2)
