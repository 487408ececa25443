/** Removes a step from a program with everything that refers to it. */
import type { StepBlock, Program, ProgramStep } from '@stateeval/contracts'
import { listReferences } from '../expr.ts'
import { getBinding, blocksOf, type StepPosition, createUnnamedProgram } from './positions.ts'

/** The program without a step, the steps that need its output, and the RESULT entries that use it. */
export function removeStep(program: Program, place: StepPosition): Program {
  const lostNames = new Set<string>()
  const keep = (step: ProgramStep, dropped: boolean) => {
    if (!dropped && !listReferences(step).some(({ variable }) => lostNames.has(variable))) return true
    const boundName = getBinding(step)
    if (boundName) lostNames.add(boundName)
    return false
  }
  const [body, ...branches] = blocksOf(program).map(([name, block]): StepBlock => {
    const { steps, result } = block
    const keptSteps = steps.filter((step, index) => keep(step, name === place.block && index === place.index))
    const keptResult = result.filter(({ value }) => !lostNames.has(value.variable))
    // A block of which nothing is lost is the program's own.
    return keptSteps.length === steps.length && keptResult.length === result.length
      ? block
      : { steps: keptSteps, result: keptResult.length === result.length ? result : keptResult }
  })
  const [then, otherwise] = branches
  if (program.branch && then && otherwise) {
    const { condition } = program.branch
    // Without its variable the condition can't be asked: what remains is the way that it would mostly take.
    if (lostNames.has(condition.variable)) {
      const { branch: _, ...straight } = program
      return createUnnamedProgram({
        ...straight,
        body: [...(body as StepBlock).steps, ...then.steps],
        result: then.result,
      })
    }
    return createUnnamedProgram({
      ...program,
      body: (body as StepBlock).steps,
      branch: { condition, then, otherwise },
    })
  }
  return createUnnamedProgram({
    ...program,
    body: (body as StepBlock).steps,
    result: (body as StepBlock).result,
  })
}
