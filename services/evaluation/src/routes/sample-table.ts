/** Samples as rows, and one of them with all that it was judged by. */
import { ProblemError } from '@stateeval/contracts'
import { candidateAt, type EvaluationItems } from '../owners/evaluation-items.ts'
import { opinionsAt } from '../owners/opinions.ts'
import type { EvaluationOwner } from '../owners/owner.ts'
import { sampleTable, type TableSources } from '../samples/table.ts'
import { existingEvaluation, type OwnerSource } from './existing.ts'
import type { Route } from './route.ts'

export const listEvaluationSamples: Route<'listEvaluationSamples', TableSources & OwnerSource> = async (
  { params: { id }, query },
  context,
) => {
  const owner = await existingEvaluation(context, id)
  const { baseline } = query
  if (baseline === undefined && query.differs !== undefined)
    throw new ProblemError(
      'validation-failed',
      'differs needs the evaluation to compare with; name it as baseline',
      'baseline',
    )
  const other = baseline === undefined ? undefined : await baselineOf(context, owner, baseline)
  return { status: 200, body: await sampleTable(context, owner, query, other) }
}

async function baselineOf(
  context: OwnerSource,
  owner: EvaluationOwner,
  id: string,
): Promise<EvaluationOwner> {
  const baseline = await context.owners.evaluation(id)
  if (baseline?.set.digest === owner.set.digest) return baseline
  throw new ProblemError(
    'unprocessable',
    baseline
      ? `the evaluation ${id} has other cases than ${owner.id}; name one of the same benchmark`
      : `there is no evaluation ${JSON.stringify(id)}; GET /v1/evaluations lists them`,
    'baseline',
  )
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
