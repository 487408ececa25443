/** Recordings: models' answers that repeat an evaluation or a build. */
import { ProblemError } from '@stateeval/contracts'
import type { AnswerStore } from '@stateeval/models'
import {
  type OutcomeReader,
  requireEvaluation,
  type OwnerSource,
  requireReadyBenchmark,
} from '@stateeval/jobs'
import {
  importRecording as store,
  openRecordingLines,
  type RecordingStore,
} from '../recordings/recordings.ts'
import type { OperationRoute } from './route.ts'

interface AnswerSource extends OwnerSource, OutcomeReader {
  answers: Pick<AnswerStore, 'get'>
}

export const importRecording: OperationRoute<'importRecording', RecordingStore> = async (
  { body },
  context,
) => ({
  status: 201,
  body: await store(context, body),
})

export const getEvaluationRecording: OperationRoute<'getEvaluationRecording', AnswerSource> = async (
  { params: { id } },
  context,
) => {
  const owner = await requireEvaluation(context, id)
  if (owner.model.kind !== 'endpoint' && !owner.opinion && !owner.parties)
    throw new ProblemError('conflict', `the evaluation ${id} called no model; there is nothing to record`)
  if (!owner.ended)
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} has not succeeded yet; its recording would be incomplete`,
    )
  return { status: 200, body: openRecordingLines(context, owner) }
}

export const getBenchmarkRecording: OperationRoute<'getBenchmarkRecording', AnswerSource> = async (
  { params: { id } },
  context,
) => {
  const owner = await requireReadyBenchmark(context, id)
  if (owner.origin !== 'dataset' && !(owner.origin === 'build' && owner.agents))
    throw new ProblemError('conflict', `no model wrote the tasks of ${id} here; there is nothing to record`)
  return { status: 200, body: openRecordingLines(context, owner) }
}
