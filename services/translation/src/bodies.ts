/** The bodies of this service's operations, and what is made of them; threads load this file, too. */
import { listWorldArtifacts, type translationOperations, type VerifyResult } from '@stateeval/contracts'
import { declareBodyReader, maxInPlace, type OperationBody } from '@stateeval/service-kit/bodies'
import { verify } from '@stateeval/translate'
import { requireProgramScenario } from './find.ts'

export { translationOperations as operations } from '@stateeval/contracts'

type VerifyRequest = OperationBody<typeof translationOperations.verifyTranslation>

/** Only the service finds the model of a scenario. */
type VerifyWork = { answer: VerifyResult } | { request: VerifyRequest }

export const works = {
  verifyTranslation: declareBodyReader(
    ({ program, instruction }: VerifyRequest): VerifyWork =>
      listWorldArtifacts(program.scenario).length > 0
        ? { request: { program, instruction } }
        : { answer: verify({ program, instruction, scenario: requireProgramScenario(program, '/program') }) },
    { takesLong: ({ instruction }) => instruction.length > maxInPlace },
  ),
}
