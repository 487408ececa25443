/**
 * Resumes a stopped evaluation. It uses the current settings of its models unless that would mix answers.
 */
import { type UsageBudget, type ModelSettings, ProblemError } from '@stateeval/contracts'
import type { Endpoint } from '@stateeval/flows'
import { answerKey, overBudget } from '@stateeval/models'
import type { MessageBus } from '@stateeval/service-kit'
import type { WorkflowEngine } from '@stateeval/workflow'
import { type Books, forgetRefused, spentBy, wasAnswered, withLargerBudget } from '../asking/account.ts'
import type { Catalog } from '../catalog.ts'
import { type ModelChoice, withPreset } from '../choices/choice.ts'
import { checkAsked, checkBudget, type Choices, type KnownModels, settingsOf } from '../choices/models.ts'
import { checkLanguages, worldsOfSet } from '../choices/options.ts'
import { asksOpinions, type EvaluationOwner, opinionStage, type Owner } from '../owners/owner.ts'
import { checkStage, readCheckStage } from '../owners/baseline-check.ts'
import { windowOf } from '../capacity.ts'
import { type Places, takePlace } from '../owners/places.ts'
import type { Sets } from '../owners/sets.ts'
import { newStage, type ResourceReader } from '../owners/stage.ts'
import { existingEvaluation, type OwnerSource, readyBenchmark } from './existing.ts'
import { evaluationResource } from './resources.ts'
import type { Route } from './route.ts'

/** Stores of sets and the options of runs. */
interface SetSource extends OwnerSource, Pick<Catalog, 'scenarios'> {
  sets: Sets
  bus: MessageBus
}
/** Usage so far and current settings of models. */
interface Now extends Books, KnownModels {
  modelClient: Choices['modelClient']
}
interface Resumer
  extends SetSource, Now, ResourceReader, Pick<Places, 'quota' | 'active'>, Pick<Catalog, 'benchmark'> {
  engine: Now['engine'] & Pick<WorkflowEngine<Owner, unknown>, 'remind'>
}

export const resumeEvaluation: Route<'resumeEvaluation', Resumer> = async (
  { params: { id }, body: { budget } },
  context,
) => {
  const stopped = await existingEvaluation(context, id)
  const { status, baselineCheck, error } = stopped
  // If failing cases are left out, the others were begun.
  const begun = stopped.stage === 'samples' || stopped.stage === opinionStage
  if (baselineCheck?.status === 'failed' && !begun)
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} cannot continue: ${error ?? 'its set does not pass the baseline check'}`,
    )
  if (status === 'succeeded')
    throw new ProblemError('conflict', `the evaluation ${id} has succeeded; there is nothing left to do`)
  await checkSet(context, stopped)
  // When samples are scored again, nobody is asked.
  const { model, parties } = stopped.rescored ? stopped : await whoAnswersNow(context, stopped)
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
    body: await evaluationResource(context, await existingEvaluation(context, id)),
    headers: { location: `/v1/evaluations/${id}` },
  }
}

const whoAnswersNow = async (context: Resumer, owner: EvaluationOwner) => ({
  model: await choiceOfNow(context, owner),
  parties: await partiesOfNow(context, owner),
})

/** Without its cases, or a language to run them in, nothing of it can go on. */
async function checkSet(
  context: SetSource,
  { id, benchmark, options, rescored }: EvaluationOwner,
): Promise<void> {
  if (!(await context.owners.benchmark(benchmark)))
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} cannot continue: its benchmark ${benchmark} was deleted; import or build it again and start a new evaluation: stored answers are reused`,
    )
  const { manifest } = await readyBenchmark(context, benchmark)
  const { language } = options
  if (language && !rescored)
    await checkLanguages(context, await worldsOfSet(context, benchmark, manifest), [language])
}

/** A baseline check that could not be finished begins anew, as stages of their own. */
function checkAnew({ unchecked, stage, stages }: EvaluationOwner): Partial<EvaluationOwner> {
  const check = unchecked ? readCheckStage(stage) : null
  if (!check) return {}
  const probe = checkStage('probe', check.round + 1)
  return { stage: probe, stages: { ...stages, [probe]: newStage(1, windowOf(1)) } }
}

/** An evaluation that would stop at once again is not resumed. */
async function checkMeans(
  context: Now,
  owner: EvaluationOwner,
  model: ModelChoice,
  raised: UsageBudget | undefined,
): Promise<void> {
  // The model under test has answered all of its questions by then.
  if (model.kind !== 'endpoint' || model.recording || asksOpinions(owner)) return
  const { settings, name } = model
  const budget = raised ?? owner.budget
  checkBudget(raised, settings)
  const over = budget ? overBudget(budget, await spentBy(context, owner), settings.prices) : null
  if (over !== null) throw new ProblemError('unprocessable', withLargerBudget(owner.id, over), '/budget')
  await checkAsked(context, { name, settings })
}

/** Tells whether two settings decide answers alike: the same for both, so they may stand in one evaluation. */
const sameAnswers = (a: ModelSettings, b: ModelSettings) =>
  answerKey(a, { messages: [] }, 0) === answerKey(b, { messages: [] }, 0)

/**
 * An evaluation has a copy of its model's settings, so that a change does not mix two models in one report.
 * When it goes on, it takes the settings of now where that can't happen: they give the same answers (another
 * key, other limits, prices, times), or nothing was answered yet (a wrong model id, a wrong host). A model
 * that is not there any more stays as it was.
 */
async function choiceOfNow(
  context: Now & Pick<Catalog, 'benchmark'>,
  owner: EvaluationOwner,
): Promise<ModelChoice> {
  const { model } = owner
  if (model.kind !== 'endpoint') return model
  const preset = (settings: ModelSettings) =>
    withPreset(settings, context.benchmark(owner.set.kind), owner.options)
  return endpointOfNow(context, owner, model, preset)
}

/** The same of those who play further parts. */
async function partiesOfNow(context: Now, owner: EvaluationOwner): Promise<EvaluationOwner['parties']> {
  if (!owner.parties) return undefined
  const now = Object.entries(owner.parties).map(
    async ([part, party]) =>
      [part, part.startsWith('http:') ? party : await endpointOfNow(context, owner, party)] as const,
  )
  return Object.fromEntries(await Promise.all(now))
}

async function endpointOfNow(
  context: Now,
  owner: EvaluationOwner,
  model: Endpoint,
  preset = (settings: ModelSettings) => settings,
): Promise<Endpoint> {
  if (model.recording) return model
  const current = await settingsOf(context, model.name)
  if (!current) return model
  const settings = preset(current)
  return sameAnswers(settings, model.settings) || !(await wasAnswered(context, owner))
    ? { ...model, settings }
    : model
}
