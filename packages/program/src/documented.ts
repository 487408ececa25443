/** Documentation of a scenario's APIs where the task is a program. */
import type { Language, Program } from '@stateeval/contracts'
import { isCall } from './expr.ts'
import { listWrittenSteps } from './blocks.ts'
import type { Scenario } from './scenario.ts'

/**
 * The documentation of the usual APIs, and of all opt-in ones where the program calls one: that a section is
 * there is no proof that it is needed.
 */
export function documentProgramApis(
  program: Program,
  scenario: Pick<Scenario, 'operations' | 'documentation'>,
  language: Language,
): string {
  const optIn = scenario.operations.flatMap(({ id, optIn }) => (optIn ? [id] : []))
  const isUsual = listWrittenSteps(program).every((step) => !isCall(step) || !optIn.includes(step.api))
  return scenario.documentation(language, isUsual ? [] : optIn)
}
