/** Samples as rows, and a sample with all evidence for its verdict. */
import { ProblemError } from '@stateeval/contracts'
import type { EvaluationItems } from '../owners/evaluation-items.ts'
import { type EvaluationOwner, requireEvaluation, type OwnerSource } from '@stateeval/jobs'
import { sampleDetail, countSamples } from '../owners/sample-detail.ts'
import { sampleTable, type TableSources } from '../samples/table.ts'
import type { OperationRoute } from './route.ts'

export const listEvaluationSamples: OperationRoute<
  'listEvaluationSamples',
  TableSources & OwnerSource
> = async ({ params: { id }, query }, context) => {
  const owner = await requireEvaluation(context, id)
  const { baseline } = query
  if (baseline === undefined && query.differs !== undefined)
    throw new ProblemError(
      'validation-failed',
      'differs needs the evaluation to compare with; name it as baseline',
      'baseline',
    )
  const other = baseline === undefined ? undefined : await loadTableBaseline(context, owner, baseline)
  return { status: 200, body: await sampleTable(context, owner, query, other) }
}

async function loadTableBaseline(
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

export const getEvaluationSample: OperationRoute<
  'getEvaluationSample',
  EvaluationItems & OwnerSource
> = async ({ params: { id, place: text } }, context) => {
  const owner = await requireEvaluation(context, id)
  const place = Number(text)
  const found = await sampleDetail(context, owner, place)
  if (found) return { status: 200, body: found }
  throw new ProblemError(
    'not-found',
    place < countSamples(owner)
      ? `the sample ${place} of the evaluation ${id} has not ended; retry when it has`
      : `the evaluation ${id} has no sample ${place}; GET /v1/evaluations/${id}/samples lists them`,
    'place',
  )
}
