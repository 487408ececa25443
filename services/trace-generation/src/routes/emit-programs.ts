import { ProblemError } from '@stateeval/contracts'
import { emit, emitters } from '@stateeval/program'
import { checkPrograms } from '../check-programs.ts'
import type { Route } from '../context.ts'

export const emitPrograms: Route<'emitPrograms'> = async ({ body: { language, programs } }) => {
  checkPrograms(programs)
  const code = programs.map((program) => {
    const text = emit(program, language)
    if (text !== null) return text
    const languages = emitters.map((emitter) => emitter.language).join(', ')
    throw new ProblemError(
      'unprocessable',
      `programs cannot be written in ${language}; supported: ${languages}`,
      '/language',
    )
  })
  return { status: 200, body: { language, code } }
}
