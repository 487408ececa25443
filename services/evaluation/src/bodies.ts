/** The bodies of this service's operations, and what is made of them; threads load this file, too. */
import type { evaluationOperations } from '@stateeval/contracts'
import { type OperationBody, declareBodyReader, readTextLines } from '@stateeval/service-kit/bodies'
import { packAnswers } from './choices/given-answers.ts'

export { evaluationOperations as operations } from '@stateeval/contracts'

type EvaluationBody<Id extends keyof typeof evaluationOperations> = OperationBody<
  (typeof evaluationOperations)[Id]
>

/** It takes as long as its cases, and what is stored of it comes back at once. */
const slowBody = { isSlow: true }

export const works = {
  createEvaluation: declareBodyReader(({ answers, ...request }: EvaluationBody<'createEvaluation'>) => ({
    request,
    ...(answers && { answers: packAnswers(answers, request.samples) }),
  })),
  createWorldModel: declareBodyReader(async (model: EvaluationBody<'createWorldModel'>) =>
    (await import('./worlds.ts')).readWorld(model),
  ),
  importBenchmark: declareBodyReader(
    async (folder: EvaluationBody<'importBenchmark'>) =>
      (await import('./imported-set.ts')).setInFolder(folder),
    slowBody,
  ),
  importDataset: declareBodyReader(
    async (dataset: EvaluationBody<'importDataset'>) =>
      (await import('./imported-set.ts')).setOfDataset(dataset),
    slowBody,
  ),
  makeBenchmark: declareBodyReader(
    async (request: EvaluationBody<'makeBenchmark'>) =>
      (await import('./imported-set.ts')).setFromSeed(request),
    { ...slowBody, takesLong: () => true },
  ),
  importRecording: declareBodyReader(
    async ({ text }: EvaluationBody<'importRecording'>) =>
      (await import('./recordings/lines.ts')).readRecording(text.split('\n')),
    {
      ...slowBody,
      makeOfBytes: async (bytes) => {
        const { maxLineBytes, readRecording } = await import('./recordings/lines.ts')
        return readRecording(readTextLines(bytes, 'text', { maxLineBytes }))
      },
    },
  ),
}
