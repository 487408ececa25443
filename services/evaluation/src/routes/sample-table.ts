/** Samples as rows, and one of them with all that it was judged by. */
import { ProblemError } from '@stateeval/contracts'
import { candidateAt, type EvaluationItems } from '../owners/evaluation-items.ts'
import { rowsOf, type RowSources, tableOf } from '../owners/sample-rows.ts'
import { opinionsAt } from '../owners/opinions.ts'
import { existingEvaluation, type OwnerSource } from './existing.ts'
import type { Route } from './route.ts'

export const listEvaluationSamples: Route<'listEvaluationSamples', RowSources & OwnerSource> = async (
  { params: { id }, query },
  context,
) => {
  const owner = await existingEvaluation(context, id)
  return { status: 200, body: tableOf(await rowsOf(context, owner), query) }
}

export const getEvaluationSample: Route<'getEvaluationSample', EvaluationItems & OwnerSource> = async (
  { params: { id, place: text } },
  context,
) => {
  const owner = await existingEvaluation(context, id)
  const place = Number(text)
  const { total = 0 } = owner.stages['samples'] ?? {}
  const found = place < total ? await candidateAt(context, owner, place) : null
  if (!found)
    throw new ProblemError(
      'not-found',
      place < total
        ? `the sample ${place} of the evaluation ${id} has not ended; retry when it has`
        : `the evaluation ${id} has no sample ${place}; GET /v1/evaluations/${id}/samples lists them`,
      'place',
    )
  const { scored, ...rest } = found
  const secondOpinion = (await opinionsAt(context, owner, [place])).get(place)
  return {
    status: 200,
    body: {
      place,
      samples: total,
      scored: { ...scored, ...(secondOpinion && { secondOpinion }) },
      ...rest,
    },
  }
}
