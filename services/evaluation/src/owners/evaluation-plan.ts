/**
 * An evaluation. Its stages: probe (the baseline check of the first case, which also reports the runtime),
 * check (of the other cases, unless known for this runtime), samples, opinions (another model's, of failed
 * samples, if requested). When all items of a stage have ended, the next stage begins, the set is refused
 * with the failed cases, or the report is made.
 */
import type { BaselineCheck } from '@stateeval/contracts'
import type { SampleOutcome } from '@stateeval/flows'
import type { UsageBooks } from '../asking/account.ts'
import { probeBefore, type ProbeParts } from '../asking/probes.ts'
import { countsOfItem, createEvaluationItem, type EvaluationItems } from './evaluation-items.ts'
import {
  widenWindow,
  type ItemWindow,
  type EvaluationOwner,
  modelProbeStage,
  checkStage,
  readCheckStage,
  enterStage,
  outcomesOf,
  type OwnerPlan,
} from '@stateeval/jobs'
import { beginOpinions, type OpinionStage } from './opinions.ts'
import { finishReport, type ReportSources } from './report.ts'
import {
  identifyCheck,
  buildBaselineCheck,
  type BaselineChecks,
  findBaselineCheck,
  createBaselineRefusal,
  storeBaselineCheck,
  type StoredBaselineCheck,
  createUnfinishedError,
} from '@stateeval/sets'

/** Parts of an evaluation's stages. */
interface EvaluationStages extends ReportSources, OpinionStage, BaselineChecks, ProbeParts, UsageBooks {
  window: ItemWindow
}

/**
 * Why the baseline check of a case does not pass; null where it does. `passing`: something was away, which
 * says nothing about the case.
 */
function findCheckFault({
  scored: { case: name, score, notScored },
  passing,
  unanswerable,
}: SampleOutcome): { case: string; reason: string; passing: boolean } | null {
  if (unanswerable) return null
  const says = score?.evidence.differences[0]?.says
  const reason =
    score === null
      ? (notScored ?? 'not scored')
      : score.passed
        ? null
        : says === undefined
          ? score.verdict
          : `${score.verdict}: ${says}`
  return reason === null ? null : { case: name, reason, passing: passing === true }
}
/** Faults of the cases themselves, and those that may be over later. */
function splitFaults(outcomes: readonly SampleOutcome[]) {
  const all = outcomes.flatMap((outcome) => findCheckFault(outcome) ?? [])
  const plain = ({ case: name, reason }: (typeof all)[number]) => ({ case: name, reason })
  return {
    failed: all.filter(({ passing }) => !passing).map(plain),
    passing: all.filter(({ passing }) => passing).map(plain),
  }
}

/**
 * Samples of an endpoint mostly wait for its answer, so more of them are in progress than are asked at
 * once.
 */
export const createSamplesStage = (
  { window }: { window: ItemWindow },
  { model, set, options, rescored }: Pick<EvaluationOwner, 'model' | 'set' | 'options' | 'rescored'>,
) => ({
  stage: 'samples',
  total: set.cases * options.samples,
  window:
    model.kind === 'endpoint' && !rescored
      ? widenWindow(window, 2 * (model.settings.concurrency ?? 8))
      : window,
})

async function startSamples(
  context: EvaluationStages,
  owner: EvaluationOwner,
  baselineCheck?: BaselineCheck,
): Promise<void> {
  const probed = await probeBefore(context, owner)
  // The sweep looks again.
  if (probed === 'elsewhere') return
  await enterStage(context, owner, createSamplesStage(context, owner), {
    ...(baselineCheck && { baselineCheck }),
    ...(probed && { probed }),
  })
}
const refuseEvaluation = (context: EvaluationStages, owner: EvaluationOwner, check: StoredBaselineCheck) => {
  const baselineCheck = buildBaselineCheck(check, false)
  return context.owners.end(owner.id, {
    status: 'failed',
    error: createBaselineRefusal(baselineCheck, owner.options),
    baselineCheck,
  })
}

const stop = (context: EvaluationStages, owner: EvaluationOwner, passing: StoredBaselineCheck['failed']) =>
  context.owners.end(owner.id, {
    status: 'failed',
    error: createUnfinishedError(owner.id, passing),
    unchecked: true,
  })

/** Tells whether cases whose reference fails are left out, so that the others can be scored. */
const isLeavingOut = (context: EvaluationStages, { set }: EvaluationOwner) =>
  context.benchmark(set.kind).building?.failingReferences === 'left out'
/**
 * Tells whether a set is refused for its references: if failing ones are left out, one that passes is enough.
 */
const isRefused = (context: EvaluationStages, owner: EvaluationOwner, failed: number) =>
  failed > (isLeavingOut(context, owner) ? owner.set.cases - 1 : 0)

const advanceProbe = async (context: EvaluationStages, owner: EvaluationOwner, round: number) => {
  const [probe] = await outcomesOf<SampleOutcome>(context, owner, checkStage('probe', round))
  const runtime = probe?.runtimes[0] ?? 'none'
  const about = { ...identifyCheck(owner), runtime }
  const { failed, passing } = splitFaults(probe ? [probe] : [])
  if (isRefused(context, owner, failed.length))
    return refuseEvaluation(context, owner, { ...about, cases: owner.set.cases, failed })
  if (passing.length > 0) return stop(context, owner, passing)
  const earlier = await findBaselineCheck(context, about)
  if (earlier)
    return isRefused(context, owner, earlier.failed.length)
      ? refuseEvaluation(context, owner, earlier)
      : startSamples(context, owner, buildBaselineCheck(earlier, true))
  if (owner.set.cases > 1)
    return enterStage(context, owner, {
      stage: checkStage('check', round),
      total: owner.set.cases - 1,
      window: context.window,
    })
  const check = { ...about, cases: 1, failed: [] }
  await storeBaselineCheck(context, check)
  await startSamples(context, owner, buildBaselineCheck(check, false))
}

const advanceCheck = async (context: EvaluationStages, owner: EvaluationOwner, round: number) => {
  const [probe] = await outcomesOf<SampleOutcome>(context, owner, checkStage('probe', round))
  const outcomes = [
    // Elsewhere a probe that fails ends the evaluation.
    ...(probe && isLeavingOut(context, owner) ? [probe] : []),
    ...(await outcomesOf<SampleOutcome>(context, owner, checkStage('check', round))),
  ]
  const { failed, passing } = splitFaults(outcomes)
  const check: StoredBaselineCheck = {
    ...identifyCheck(owner),
    runtime: probe?.runtimes[0] ?? 'none',
    cases: owner.set.cases,
    failed,
  }
  // A case that could not be scored says nothing about the case, so that is not remembered.
  if (outcomes.every(({ scored, unanswerable }) => scored.score !== null || unanswerable))
    await storeBaselineCheck(context, check)
  if (isRefused(context, owner, failed.length)) return refuseEvaluation(context, owner, check)
  if (passing.length > 0) return stop(context, owner, passing)
  await startSamples(context, owner, buildBaselineCheck(check, false))
}

/** All items of the stage have ended. May be called again. */
async function finishStage(context: EvaluationStages, owner: EvaluationOwner, stage: string): Promise<void> {
  const check = readCheckStage(stage)
  if (check)
    return check.stage === 'probe'
      ? advanceProbe(context, owner, check.round)
      : advanceCheck(context, owner, check.round)
  if (stage === modelProbeStage) return startSamples(context, owner)
  if (stage === 'samples' && (await beginOpinions(context, owner))) return
  await finishReport(context, owner)
}

export const createEvaluationPlan = (
  context: EvaluationItems & EvaluationStages,
): OwnerPlan<EvaluationOwner> => ({
  item: (owner, stage, index) => createEvaluationItem(context, owner, stage, index),
  counts: countsOfItem,
  finished: (owner, stage) => finishStage(context, owner, stage),
})
