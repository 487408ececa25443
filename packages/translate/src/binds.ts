/** Names for the outputs of parsed calls: readings refer to them by position. */
import type { Program } from '@stateeval/contracts'
import { formatOutputName } from './call-clause.ts'
import type { readInstruction } from './read.ts'

type InstructionProgram = ReturnType<typeof readInstruction>[number]

/** The reading, with its calls' outputs named by position. */
export function withBinds({ body, result, branch }: InstructionProgram): InstructionProgram {
  const name = (steps: InstructionProgram['body'], from: number): [InstructionProgram['body'], number] => {
    let calls = from
    return [
      steps.map((step) => (step.kind === 'edit' ? step : { ...step, binds: formatOutputName(calls++) })),
      calls,
    ]
  }
  const [steps, calls] = name(body, 0)
  if (!branch) return { body: steps, ...(result && { result }) }
  const then = { ...branch.then, steps: name(branch.then.steps, calls)[0] }
  const otherwise = { ...branch.otherwise, steps: name(branch.otherwise.steps, calls)[0] }
  return { body: steps, branch: { ...branch, then, otherwise } }
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
