import { type GateRequest, ProblemError, type ReportResult } from '@stateeval/contracts'
import { judgeGate } from '@stateeval/score'
import type { ProjectArtifacts } from '@stateeval/service-kit'
import type { SuiteCatalog } from '@stateeval/sets'
import { type EvaluationOwner, requireEndedEvaluation, type OwnerSource } from '@stateeval/jobs'
import type { OperationRoute } from './route.ts'

interface GateReports extends OwnerSource {
  artifacts: ProjectArtifacts
  benchmark: SuiteCatalog['benchmark']
}
type GatedEvaluation = Awaited<ReturnType<typeof requireEndedEvaluation>>

export const checkGate: OperationRoute<'checkGate', GateReports> = async (
  { params: { id }, body },
  context,
) => {
  const { baseline: baselineId, ...thresholds } = body
  refuseContradictions(body)
  const owner = await requireEndedEvaluation(context, id)
  const baseline = baselineId === undefined ? undefined : await loadGateBaseline(context, owner, baselineId)
  const resultOf = async ({ ended }: GatedEvaluation) =>
    (await context.artifacts.getJson(ended.result)) as ReportResult
  const verdict = judgeGate(await resultOf(owner), thresholds, baseline && (await resultOf(baseline)))
  return { status: 200, body: { evaluation: id, ...(baseline && { baseline: baseline.id }), ...verdict } }
}

/** Throws a problem where thresholds are missing, or need another. */
function refuseContradictions(body: GateRequest) {
  const { minRate, baseline, maxRegression, significant, maxUnscored, maxUnscoredShare } = body
  const refuse = (detail: string, field: string): never => {
    throw new ProblemError('unprocessable', detail, field)
  }
  const compares = maxRegression !== undefined || significant === true
  if (baseline === undefined && compares)
    refuse(
      'the gate has no baseline; name the evaluation to compare with as baseline',
      maxRegression === undefined ? '/significant' : '/maxRegression',
    )
  if (baseline !== undefined && !compares)
    refuse('the baseline needs a rule; add maxRegression or significant', '/baseline')
  if (maxUnscored !== undefined && maxUnscoredShare !== undefined)
    refuse('give either maxUnscored or maxUnscoredShare, not both', '/maxUnscoredShare')
  if ([minRate, baseline, maxUnscored, maxUnscoredShare].every((one) => one === undefined))
    refuse('the gate has no threshold; give minRate, baseline, maxUnscored or maxUnscoredShare', '')
}

/** Throws a problem that says why the two can't be compared, and what to name instead. */
async function loadGateBaseline(
  context: GateReports,
  owner: EvaluationOwner,
  id: string,
): Promise<GatedEvaluation> {
  const refuse = (detail: string): never => {
    throw new ProblemError('unprocessable', detail, '/baseline')
  }
  if (id === owner.id) refuse(`${id} is the evaluation itself; name an earlier one as baseline`)
  const baseline = await requireEndedEvaluation(context, id).catch((error: unknown) => {
    if (error instanceof ProblemError)
      throw new ProblemError(error.code, `the baseline cannot be used: ${error.message}`, '/baseline')
    throw error
  })
  if (baseline.set.digest !== owner.set.digest)
    refuse(
      `the baseline ${id} is of the benchmark ${baseline.benchmark} (digest ${baseline.set.digest.slice(0, 12)}), which has other cases than ${owner.benchmark} (digest ${owner.set.digest.slice(0, 12)}); name an evaluation of the same benchmark as baseline`,
    )
  const policyOf = ({ set, options }: EvaluationOwner) =>
    options.policy ?? context.benchmark(set.kind).policies[0]
  const [here, there] = [policyOf(owner), policyOf(baseline)]
  if (here !== there)
    refuse(
      `the baseline ${id} is judged by the policy ${there}, this evaluation by ${here}; name a baseline that is judged by the same policy`,
    )
  return baseline
}
