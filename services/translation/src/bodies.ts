/** The bodies of this service's operations, and what is made of them; threads load this file, too. */
import type { translationOperations } from '@stateeval/contracts'
import { scenarios } from '@stateeval/scenarios'
import { declareBodyComputation, maxInPlace, type OperationBody } from '@stateeval/service-kit/bodies'
import { verify } from '@stateeval/translate'
import { requireProgramScenario } from './find.ts'

export { translationOperations as operations } from '@stateeval/contracts'

type VerifyRequest = OperationBody<typeof translationOperations.verifyTranslation>

export const works = {
  verifyTranslation: declareBodyComputation(
    ({ program, instruction }: VerifyRequest) =>
      verify({ program, instruction, scenario: requireProgramScenario(program, { scenarios }, '/program') }),
    { takesLong: ({ instruction }) => instruction.length > maxInPlace },
  ),
}
