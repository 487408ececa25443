import { canonicalJson, type Call, type Program, type ProgramStep } from '@stateeval/contracts'
import { isCall } from '../../expr.ts'
import { without } from '../drop.ts'
import type { MutationOperator, Site } from '../operator.ts'
import {
  blocksOf,
  isEffect,
  nameOf,
  placesOf,
  type StepPosition,
  uses,
  withReferences,
  withSteps,
} from '../positions.ts'

export const staleCopy: MutationOperator = {
  id: 'stale_copy',
  about: 'An earlier answer replaces a newer one, or a newer answer replaces the intended copy',
  sites: (program) => [...stale(program), ...fresh(program)],
}

type Read = Call & { binds: string }
/** Functions and tools answer alike whenever they are asked. */
const isRead = (step: ProgramStep): step is Read =>
  isCall(step) && step.kind === 'http' && step.binds !== undefined && !isEffect(step)

/** All steps that come before one on its path, oldest first. */
function before(program: Program, { block, index }: StepPosition): ProgramStep[] {
  const blockSteps = blocksOf(program).find(([name]) => name === block)?.[1].steps ?? []
  return [...(block === 'body' ? [] : program.body), ...blockSteps.slice(0, index)]
}

const requestOf = ({ api, args }: Call) => canonicalJson({ api, args })
const changesSince = (steps: readonly ProgramStep[], since: ProgramStep) =>
  steps.slice(steps.indexOf(since)).some((step) => isCall(step) && isEffect(step))

/** A question that was asked before isn't asked again, though something has changed since. */
const stale = (program: Program): Site[] =>
  placesOf(program).flatMap(([place, step]) => {
    if (!isRead(step)) return []
    const steps = before(program, place)
    const earlier = steps.findLast(
      (other): other is Read => isRead(other) && requestOf(other) === requestOf(step),
    )
    if (!earlier || !changesSince(steps, earlier)) return []
    const where = `${nameOf(place)}: ${step.binds} → ${earlier.binds}`
    return [{ where, change: () => without(renamed(program, step.binds, earlier.binds), place) }]
  })

/**
 * A question is asked again right before a step that works on the answer, though something has changed since.
 */
const fresh = (program: Program): Site[] =>
  placesOf(program).flatMap(([place, step]) => {
    const steps = before(program, place)
    return steps.flatMap((read) => {
      if (!isRead(read) || !uses(step, read.binds) || !changesSince(steps, read)) return []
      const again = `${read.binds}_again`
      const change = () =>
        withSteps(program, place.block, (all) =>
          all.toSpliced(place.index, 1, { ...read, binds: again }, renamedIn(step, read.binds, again)),
        )
      return [{ where: `${nameOf(place)}: ${read.binds} read again`, change }]
    })
  })

const renamedIn = (step: ProgramStep, from: string, to: string) =>
  withReferences(step, (reference) =>
    reference.variable === from ? { ...reference, variable: to } : reference,
  )

/** The program with another variable wherever one is read: in steps, in the condition and in RESULT. */
function renamed(program: Program, from: string, to: string): Program {
  const name = (variable: string) => (variable === from ? to : variable)
  const block = <B extends { steps: ProgramStep[]; result: NonNullable<Program['result']> }>({
    steps,
    result,
  }: B) => ({
    steps: steps.map((step) => renamedIn(step, from, to)),
    result: result.map(({ key, value }) => ({ key, value: { ...value, variable: name(value.variable) } })),
  })
  const { steps: body, result } = block({ steps: program.body, result: program.result ?? [] })
  const { branch } = program
  if (!branch) return { ...program, body, result }
  const condition = { ...branch.condition, variable: name(branch.condition.variable) }
  return {
    ...program,
    body,
    branch: { condition, then: block(branch.then), otherwise: block(branch.otherwise) },
  }
}
