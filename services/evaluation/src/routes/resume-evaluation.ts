/**
 * Resumes a stopped evaluation. It uses the current settings of its models unless that would mix answers.
 */
import { type UsageBudget, type ModelSettings, ProblemError } from '@stateeval/contracts'
import type { EndpointModel } from '@stateeval/flows'
import { computeAnswerKey, explainOverBudget } from '@stateeval/models'
import type { MessageBus } from '@stateeval/service-kit'
import type { WorkflowEngine } from '@stateeval/workflow'
import {
  type UsageBooks,
  forgetRefused,
  loadSpending,
  wasAnswered,
  withLargerBudget,
} from '../asking/account.ts'
import { type SuiteCatalog, checkLanguages, listSetWorlds, type BenchmarkSets } from '@stateeval/sets'
import {
  type ModelChoice,
  withPreset,
  hasOpinionStage,
  type EvaluationOwner,
  opinionStage,
  type JobOwner,
  checkStage,
  readCheckStage,
  createItemWindow,
  type RunningPlaces,
  takePlace,
  createStage,
  type ResourceReader,
  requireEvaluation,
  type OwnerSource,
  requireReadyBenchmark,
  describeEvaluation,
} from '@stateeval/jobs'
import {
  checkAsked,
  checkBudget,
  type ModelChoices,
  type KnownModels,
  findModelSettings,
} from '../choices/models.ts'
import type { OperationRoute } from './route.ts'

/** Stores of sets, and the languages and worlds that can run. */
interface SetSource extends OwnerSource, Pick<SuiteCatalog, 'scenarios'> {
  sets: BenchmarkSets
  bus: MessageBus
}
/** Usage so far and current settings of models. */
interface CurrentModels extends UsageBooks, KnownModels {
  modelClient: ModelChoices['modelClient']
}
interface EvaluationResumer
  extends
    SetSource,
    CurrentModels,
    ResourceReader,
    Pick<RunningPlaces, 'quota' | 'active'>,
    Pick<SuiteCatalog, 'benchmark'> {
  engine: CurrentModels['engine'] & Pick<WorkflowEngine<JobOwner, unknown>, 'remind'>
}

export const resumeEvaluation: OperationRoute<'resumeEvaluation', EvaluationResumer> = async (
  { params: { id }, body: { budget } },
  context,
) => {
  const stopped = await requireEvaluation(context, id)
  const { status, baselineCheck, error } = stopped
  // Samples have begun if failing cases are left out: then the check's failure stops nothing.
  const begun = stopped.stage === 'samples' || stopped.stage === opinionStage
  if (baselineCheck?.status === 'failed' && !begun)
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} cannot continue: ${error ?? 'its set does not pass the baseline check'}`,
    )
  if (status === 'succeeded')
    throw new ProblemError('conflict', `the evaluation ${id} has succeeded; there is nothing left to do`)
  await checkSet(context, stopped)
  // Scoring samples again asks no model.
  const { model, parties } = stopped.rescored ? stopped : await resolveCurrentResponders(context, stopped)
  if (!stopped.rescored) await checkMeans(context, stopped, model, budget)
  context.bus.check()
  await takePlace(context, 'evaluation', id)
  forgetRefused(context, id)
  const owner = await context.owners.reopen(id, {
    model,
    ...(parties && { parties }),
    ...(budget && { budget }),
    ...checkAnew(stopped),
  })
  if (owner) await context.engine.remind(owner)
  return {
    status: 202,
    body: await describeEvaluation(context, await requireEvaluation(context, id)),
    headers: { location: `/v1/evaluations/${id}` },
  }
}

const resolveCurrentResponders = async (context: EvaluationResumer, owner: EvaluationOwner) => ({
  model: await resolveCurrentChoice(context, owner),
  parties: await resolveCurrentParties(context, owner),
})

/** Without its cases, or a language to run them in, it cannot continue. */
async function checkSet(
  context: SetSource,
  { id, benchmark, options, rescored }: EvaluationOwner,
): Promise<void> {
  if (!(await context.owners.benchmark(benchmark)))
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} cannot continue: its benchmark ${benchmark} was deleted; import or build it again and start a new evaluation: stored answers are reused`,
    )
  const { manifest } = await requireReadyBenchmark(context, benchmark)
  const { language } = options
  if (language && !rescored)
    await checkLanguages(context, await listSetWorlds(context, benchmark, manifest), [language])
}

/** A baseline check that could not be finished begins anew, as separate stages. */
function checkAnew({ unchecked, stage, stages }: EvaluationOwner): Partial<EvaluationOwner> {
  const check = unchecked ? readCheckStage(stage) : null
  if (!check) return {}
  const probe = checkStage('probe', check.round + 1)
  return { stage: probe, stages: { ...stages, [probe]: createStage(1, createItemWindow(1)) } }
}

/** An evaluation that would stop at once again is not resumed. */
async function checkMeans(
  context: CurrentModels,
  owner: EvaluationOwner,
  model: ModelChoice,
  raised: UsageBudget | undefined,
): Promise<void> {
  // The model under test has answered all of its questions by then.
  if (model.kind !== 'endpoint' || model.recording || hasOpinionStage(owner)) return
  const { settings, name } = model
  const budget = raised ?? owner.budget
  checkBudget(raised, settings)
  const over = budget ? explainOverBudget(budget, await loadSpending(context, owner), settings.prices) : null
  if (over !== null) throw new ProblemError('unprocessable', withLargerBudget(owner.id, over), '/budget')
  await checkAsked(context, { name, settings })
}

/** Tells whether two settings give the same answers, so that they may be mixed in one evaluation. */
const hasSameAnswers = (a: ModelSettings, b: ModelSettings) =>
  computeAnswerKey(a, { messages: [] }, 0) === computeAnswerKey(b, { messages: [] }, 0)

/**
 * An evaluation has a copy of its model's settings, so that a change does not mix two models in one report.
 * When it continues, it takes the current settings where that can't happen: they give the same answers
 * (another key, other limits, prices, times), or nothing was answered yet (a wrong model id, a wrong host). A
 * deleted model keeps its copy.
 */
async function resolveCurrentChoice(
  context: CurrentModels & Pick<SuiteCatalog, 'benchmark'>,
  owner: EvaluationOwner,
): Promise<ModelChoice> {
  const { model } = owner
  if (model.kind !== 'endpoint') return model
  const preset = (settings: ModelSettings) =>
    withPreset(settings, context.benchmark(owner.set.kind), owner.options)
  return resolveCurrentEndpoint(context, owner, model, preset)
}

/** The same of those who play further parts. */
async function resolveCurrentParties(
  context: CurrentModels,
  owner: EvaluationOwner,
): Promise<EvaluationOwner['parties']> {
  if (!owner.parties) return undefined
  const now = Object.entries(owner.parties).map(
    async ([part, party]) =>
      [part, part.startsWith('http:') ? party : await resolveCurrentEndpoint(context, owner, party)] as const,
  )
  return Object.fromEntries(await Promise.all(now))
}

async function resolveCurrentEndpoint(
  context: CurrentModels,
  owner: EvaluationOwner,
  model: EndpointModel,
  preset = (settings: ModelSettings) => settings,
): Promise<EndpointModel> {
  if (model.recording) return model
  const current = await findModelSettings(context, model.name)
  if (!current) return model
  const settings = preset(current)
  return hasSameAnswers(settings, model.settings) || !(await wasAnswered(context, owner))
    ? { ...model, settings }
    : model
}
