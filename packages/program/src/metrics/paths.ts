/** The execution paths of a program: one, or one per branch. */
import type { Program, ProgramStep } from '@stateeval/contracts'

interface ExecutionPath {
  branch: 'none' | 'then' | 'otherwise'
  steps: readonly ProgramStep[]
}

export function listExecutionPaths({ body, branch }: Program): ExecutionPath[] {
  if (!branch) return [{ branch: 'none', steps: body }]
  return [
    { branch: 'then', steps: [...body, ...branch.then.steps] },
    { branch: 'otherwise', steps: [...body, ...branch.otherwise.steps] },
  ]
}

/** All written steps; steps that both branches share occur once. */
export const listWrittenSteps = ({ body, branch }: Program): ProgramStep[] => [
  ...body,
  ...(branch?.then.steps ?? []),
  ...(branch?.otherwise.steps ?? []),
]
