import { type Program, ProblemError } from '@stateeval/contracts'
import { validateProgram } from '@stateeval/program'

/**
 * Throws a problem that names the invalid part of a program: valid syntax may still call an API that does
 * not exist.
 */
export function checkPrograms(programs: readonly Program[]): void {
  for (const [at, program] of programs.entries()) {
    const [problem] = validateProgram(program)
    if (problem === undefined) continue
    const [field = '', ...says] = problem.split(': ')
    const pointer = `/programs/${at}${field}`
    throw new ProblemError('unprocessable', `${pointer}: ${says.join(': ')}`, pointer)
  }
}
