/** Names for the outputs of calls that were read: readings refer to them by their positions. */
import type { Program } from '@stateeval/contracts'
import { outputAt } from './call-clause.ts'
import type { readInstruction } from './read.ts'

type Read = ReturnType<typeof readInstruction>[number]

/** The reading, with its calls' outputs named by their positions. */
export function withBinds({ body, result, branch }: Read): Read {
  const name = (steps: Read['body'], from: number): [Read['body'], number] => {
    let calls = from
    return [steps.map((step) => (step.kind === 'edit' ? step : { ...step, binds: outputAt(calls++) })), calls]
  }
  const [steps, calls] = name(body, 0)
  if (!branch) return { body: steps, ...(result && { result }) }
  const then = { ...branch.then, steps: name(branch.then.steps, calls)[0] }
  const otherwise = { ...branch.otherwise, steps: name(branch.otherwise.steps, calls)[0] }
  return { body: steps, branch: { ...branch, then, otherwise } }
}

/** The program that a reading is, with the variables and the world of the program that it was made from. */
export const atProgram = ({ schema, id, scenario, variables, world }: Program, reading: Read): Program => ({
  schema,
  id,
  scenario,
  variables,
  world,
  ...withBinds(reading),
})
