/** Names for the outputs of parsed calls: readings refer to them by position. */
import type { Program, StepBlock } from '@stateeval/contracts'
import { getRootBlock, toProgramParts, type ProgramParts as InstructionProgram } from '@stateeval/program'
import { formatOutputName } from './call-clause.ts'

/** The reading, with its calls' outputs named by their position on their path. */
export function withBinds(reading: InstructionProgram): InstructionProgram {
  const name = ({ steps, result, branch }: StepBlock, from: number): StepBlock => {
    let calls = from
    const named = steps.map((step) =>
      step.kind === 'edit' ? step : { ...step, binds: formatOutputName(calls++) },
    )
    if (!branch) return { steps: named, result }
    const [then, otherwise] = [name(branch.then, calls), name(branch.otherwise, calls)]
    return { steps: named, result, branch: { ...branch, then, otherwise } }
  }
  return toProgramParts(name(getRootBlock(reading), 0))
}

/** The program of a reading, with the inputs of the original program. */
export const bindReading = (
  { schema, id, scenario, variables, world, secondWorlds }: Program,
  reading: InstructionProgram,
): Program => ({
  schema,
  id,
  scenario,
  variables,
  world,
  ...withBinds(reading),
  ...(secondWorlds && { secondWorlds }),
})
