import { canonicalJson, type Call, type Program, type ProgramStep } from '@stateeval/contracts'
import { listStepsBefore, mapBlocks } from '../../blocks.ts'
import { isCall } from '../../expr.ts'
import { removeStep } from '../drop.ts'
import type { MutationOperator, MutationSite } from '../operator.ts'
import { isEffect, formatPosition, placesOf, hasVariable, withReferences, withSteps } from '../positions.ts'

export const staleCopy: MutationOperator = {
  id: 'stale_copy',
  about: 'An earlier answer replaces a newer one, or a newer answer replaces the intended copy',
  sites: (program) => [...listStaleSites(program), ...listFreshSites(program)],
}

type BoundCall = Call & { binds: string }
/** Functions and tools answer alike whenever they are asked. */
const isRead = (step: ProgramStep): step is BoundCall =>
  isCall(step) && step.kind === 'http' && step.binds !== undefined && !isEffect(step)

const formatRequestKey = ({ api, args }: Call) => canonicalJson({ api, args })
const listChangesSince = (steps: readonly ProgramStep[], since: ProgramStep) =>
  steps.slice(steps.indexOf(since)).some((step) => isCall(step) && isEffect(step))

/** A question that was asked before isn't asked again, though something has changed since. */
const listStaleSites = (program: Program): MutationSite[] =>
  placesOf(program).flatMap(([place, step]) => {
    if (!isRead(step)) return []
    const steps = listStepsBefore(program, place.block, place.index)
    const earlier = steps.findLast(
      (other): other is BoundCall => isRead(other) && formatRequestKey(other) === formatRequestKey(step),
    )
    if (!earlier || !listChangesSince(steps, earlier)) return []
    const where = `${formatPosition(place)}: ${step.binds} → ${earlier.binds}`
    return [{ where, change: () => removeStep(renameVariable(program, step.binds, earlier.binds), place) }]
  })

/**
 * A question is asked again right before a step that works on the answer, though something has changed since.
 */
const listFreshSites = (program: Program): MutationSite[] =>
  placesOf(program).flatMap(([place, step]) => {
    const steps = listStepsBefore(program, place.block, place.index)
    return steps.flatMap((read) => {
      if (!isRead(read) || !hasVariable(step, read.binds) || !listChangesSince(steps, read)) return []
      const again = `${read.binds}_again`
      const change = () =>
        withSteps(program, place.block, (all) =>
          all.toSpliced(place.index, 1, { ...read, binds: again }, renameInStep(step, read.binds, again)),
        )
      return [{ where: `${formatPosition(place)}: ${read.binds} read again`, change }]
    })
  })

const renameInStep = (step: ProgramStep, from: string, to: string) =>
  withReferences(step, (reference) =>
    reference.variable === from ? { ...reference, variable: to } : reference,
  )

/** The program with another variable wherever one is read: in steps, in the conditions and in RESULT. */
function renameVariable(program: Program, from: string, to: string): Program {
  const name = (variable: string) => (variable === from ? to : variable)
  return mapBlocks(program, ({ steps, result, branch }) => ({
    steps: steps.map((step) => renameInStep(step, from, to)),
    result: result.map(({ key, value }) => ({ key, value: { ...value, variable: name(value.variable) } })),
    ...(branch && {
      branch: { ...branch, condition: { ...branch.condition, variable: name(branch.condition.variable) } },
    }),
  }))
}
