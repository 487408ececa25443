import { ProblemError } from '@stateeval/contracts'
import { measure } from '@stateeval/program'
import { checkPrograms } from '../check-programs.ts'
import type { Route } from '../context.ts'

export const measurePrograms: Route<'measurePrograms'> = async ({
  body: { language = 'javascript', programs, instructions },
}) => {
  if (instructions && instructions.length !== programs.length) {
    throw new ProblemError(
      'unprocessable',
      `there are ${programs.length} programs and ${instructions.length} instructions; send one for each`,
      '/instructions',
    )
  }
  checkPrograms(programs)
  const metrics = await Promise.all(
    programs.map((program, index) =>
      measure(program, { language, ...(instructions && { instruction: instructions[index] as string }) }),
    ),
  )
  return { status: 200, body: { metrics } }
}
