/** Removes a step from a program with everything that refers to it. */
import type { StepBlock, Program, ProgramStep } from '@stateeval/contracts'
import { type BlockName, getRootBlock, nameBranch, withRootBlock } from '../blocks.ts'
import { listReferences } from '../expr.ts'
import { getBinding, type StepPosition } from './positions.ts'

/** The program without a step, the steps that need its output, and the RESULT entries that use it. */
export function removeStep(program: Program, place: StepPosition): Program {
  const lostNames = new Set<string>()
  const keep = (step: ProgramStep, dropped: boolean) => {
    if (!dropped && !listReferences(step).some(({ variable }) => lostNames.has(variable))) return true
    const boundName = getBinding(step)
    if (boundName) lostNames.add(boundName)
    return false
  }
  const prune = (block: StepBlock, name: BlockName): StepBlock => {
    const keptSteps = block.steps.filter((step, index) =>
      keep(step, name === place.block && index === place.index),
    )
    const keptResult = block.result.filter(({ value }) => !lostNames.has(value.variable))
    const steps = keptSteps.length === block.steps.length ? block.steps : keptSteps
    const result = keptResult.length === block.result.length ? block.result : keptResult
    const { branch } = block
    if (!branch) return isSame(block, { steps, result }) ? block : { steps, result }
    const then = prune(branch.then, nameBranch(name, 'then'))
    const otherwise = prune(branch.otherwise, nameBranch(name, 'otherwise'))
    // Without its variable the condition can't be asked: what remains is the way that it would mostly take.
    if (lostNames.has(branch.condition.variable)) return { ...then, steps: [...steps, ...then.steps] }
    const isOwn = steps === block.steps && then === branch.then && otherwise === branch.otherwise
    return isOwn ? block : { steps, result, branch: { condition: branch.condition, then, otherwise } }
  }
  return withRootBlock(program, prune(getRootBlock(program), 'body'))
}

/** A block of which nothing is lost is the program's own. */
const isSame = (block: StepBlock, { steps, result }: Pick<StepBlock, 'steps' | 'result'>) =>
  block.steps === steps && block.result === result
