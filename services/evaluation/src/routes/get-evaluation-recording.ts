import { Readable } from 'node:stream'
import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { recordingOf } from '../recordings.ts'
import { existingEvaluation } from '../resources.ts'

export const getEvaluationRecording: Route<'getEvaluationRecording'> = async (
  { params: { id } },
  context,
) => {
  const owner = await existingEvaluation(context, id)
  if (owner.model.kind !== 'endpoint' && !owner.opinion && !owner.parties)
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} asked no model; there is nothing that a recording could repeat`,
    )
  if (!owner.ended)
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} has not succeeded yet; its recording would miss answers`,
    )
  return { status: 200, body: Readable.from(recordingOf(context, owner)) }
}
