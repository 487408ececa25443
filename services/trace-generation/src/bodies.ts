/** The bodies of this service's operations, and what is made of them; threads load this file, too. */
import { ProblemError, type traceGenerationOperations } from '@stateeval/contracts'
import { emit, emitters, measure } from '@stateeval/program'
import { declareBodyComputation, type OperationBody } from '@stateeval/service-kit/bodies'
import { checkPrograms } from './check-programs.ts'

export { traceGenerationOperations as operations } from '@stateeval/contracts'

type TraceOperations = typeof traceGenerationOperations

export const works = {
  emitPrograms: declareBodyComputation(
    ({ language, programs }: OperationBody<TraceOperations['emitPrograms']>) => {
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
      return { language, code }
    },
  ),

  measurePrograms: declareBodyComputation(
    async ({
      language = 'javascript',
      programs,
      instructions,
    }: OperationBody<TraceOperations['measurePrograms']>) => {
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
      return { metrics }
    },
    // The encoding of tokens is loaded there.
    { takesLong: () => true },
  ),
}
