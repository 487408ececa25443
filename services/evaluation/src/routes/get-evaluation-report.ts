import type { Prices, ReportResult, ReportRun } from '@stateeval/contracts'
import { costUsd } from '@stateeval/models'
import type { Route } from '../context.ts'
import type { EvaluationOwner } from '../owners/owner.ts'
import { endedEvaluation, pricesOf } from '../resources.ts'

export const getEvaluationReport: Route<'getEvaluationReport'> = async ({ params: { id } }, context) => {
  const owner = await endedEvaluation(context, id)
  const { ended, createdAt, finishedAt = createdAt, set, options, selfCheck, model, opinion, budget } = owner
  const result = (await context.artifacts.getJson(ended.result)) as ReportResult
  const run = {
    evaluation: id,
    startedAt: createdAt,
    finishedAt,
    wallMs: Date.parse(finishedAt) - Date.parse(createdAt),
    samples: set.cases * options.samples,
    retries: ended.retries,
    hosts: [ended.host],
    runtimes: ended.runtimes,
    ...(ended.sandboxes !== undefined && { sandboxes: ended.sandboxes }),
    selfCheck: selfCheck ?? null,
    ...(model.kind === 'endpoint' && { parameters: model.settings.parameters ?? {} }),
    usage: ended.usage,
    costUsd: costUsd(ended.usage, pricesOf(model)),
    ...(ended.kept !== undefined && { kept: ended.kept }),
    ...(ended.repeated !== undefined && { repeated: ended.repeated }),
    ...(ended.cut !== undefined && { cut: ended.cut }),
    ...(budget && { budget }),
    ...(ended.opinions && { secondOpinion: opinionsOf(ended.opinions, opinion?.by.settings.prices) }),
    ...(ended.cases !== undefined && { cases: (await context.artifacts.getJson(ended.cases)) as NonNullable<ReportRun['cases']> }),
  }
  return { status: 200, body: { result, run } }
}

const opinionsOf = ({ usage, ...counts }: NonNullable<NonNullable<EvaluationOwner['ended']>['opinions']>, prices: Prices | undefined) => ({
  ...usage,
  costUsd: costUsd(usage, prices),
  ...counts,
})
