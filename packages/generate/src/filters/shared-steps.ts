/** The steps that a mutant shares with its program: unchanged steps are the same objects. */
import type { StepBlock, Condition, Program, ProgramStep } from '@stateeval/contracts'
import { isCall, memoize, listReferences } from '@stateeval/program'

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
 * Tells whether only the condition reads its constant: then a run reaches the if in the same state for any
 * constant.
 */
export const onlyConditionReads = memoize(({ body, branch, result = [] }: Program): boolean => {
  if (!branch) return true
  const { condition, then, otherwise } = branch
  const steps = [...body, ...then.steps, ...otherwise.steps]
  const results = [...result, ...then.result, ...otherwise.result]
  const isConstant = ({ variable }: { variable: string }) => variable === condition.equals
  return (
    !steps.some((step) => listReferences(step).some(isConstant)) &&
    !results.some(({ value }) => isConstant(value))
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

/** The last step before the if that sets an operand of the condition; -1 if none does. */
export const askedAt = memoize(
  ({ body, branch }: Program): number =>
    branch ? body.findLastIndex((step) => isAsked(branch.condition, getSetVariable(step))) : -1,
  2,
)
export const isAsked = ({ variable, equals }: Condition, name: string | undefined) =>
  name === variable || name === equals

type ResultBlock = StepBlock['result']
/** Tells whether two RESULTs have the same keys: different keys are observable for any values. */
export const hasSameResultKeys = (a: ResultBlock, b: ResultBlock): boolean =>
  a === b || (a.length === b.length && a.every(({ key }) => b.some((entry) => entry.key === key)))
/** Tells whether RESULT may be the same in both branches. */
export const branchesLookAlike = memoize(
  ({ branch }: Program): boolean =>
    branch !== undefined && hasSameResultKeys(branch.then.result, branch.otherwise.result),
  2,
)
