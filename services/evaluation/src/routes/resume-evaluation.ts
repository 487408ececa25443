import { type Budget, ProblemError } from '@stateeval/contracts'
import { overBudget } from '@stateeval/models'
import { forgetRefused, spentBy } from '../asking/account.ts'
import { withLargerBudget } from '../asking/onwards.ts'
import { checkBudget } from '../choose-model.ts'
import type { EvaluationContext, Route } from '../context.ts'
import { newStage } from '../owners/stage.ts'
import { checkLanguages, worldsOfSet } from '../languages.ts'
import type { ModelChoice } from '../choice.ts'
import { asksOpinions, type EvaluationOwner } from '../owners/owner.ts'
import { checkStage, readCheckStage } from '../owners/self-check.ts'
import { choiceOfNow, partiesOfNow } from '../settings-of-now.ts'
import { evaluationResource, existingEvaluation, readyBenchmark } from '../resources.ts'

export const resumeEvaluation: Route<'resumeEvaluation'> = async (
  { params: { id }, body: { budget } },
  context,
) => {
  const found = await existingEvaluation(context, id)
  const { status, selfCheck, error } = found
  if (selfCheck?.status === 'failed')
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} can’t go on: ${error ?? 'its set does not pass the self-check'}`,
    )
  if (status === 'succeeded')
    throw new ProblemError('conflict', `the evaluation ${id} has succeeded; there is nothing left to do`)
  await checkSet(context, found)
  const model = await choiceOfNow(context, found)
  const parties = await partiesOfNow(context, found)
  await checkMeans(context, found, model, budget)
  context.bus.check()
  forgetRefused(context, id)
  const owner = await context.owners.reopen(id, {
    model,
    ...(parties && { parties }),
    ...(budget && { budget }),
    ...checkAnew(found),
  })
  if (owner) await context.engine.remind(owner)
  return {
    status: 202,
    body: await evaluationResource(context, await existingEvaluation(context, id)),
    headers: { location: `/v1/evaluations/${id}` },
  }
}

/** Without its cases, or a language to run them in, nothing of it can go on. */
async function checkSet(
  context: EvaluationContext,
  { id, benchmark, options }: EvaluationOwner,
): Promise<void> {
  const there = await context.owners.benchmark(benchmark)
  if (!there)
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} can’t go on: its benchmark ${benchmark} was deleted; import or build it again and start a new evaluation: what was answered is kept`,
    )
  const { manifest } = await readyBenchmark(context, benchmark)
  const { language } = options
  if (language) await checkLanguages(context, await worldsOfSet(context, benchmark, manifest), [language])
}

/** A self-check that could not be finished begins anew, as stages of their own. */
function checkAnew({ unchecked, stage, stages }: EvaluationOwner): Partial<EvaluationOwner> {
  const check = unchecked ? readCheckStage(stage) : null
  if (!check) return {}
  const probe = checkStage('probe', check.round + 1)
  return { stage: probe, stages: { ...stages, [probe]: newStage(1, 1) } }
}

/** An evaluation that would stop at once again is not resumed. */
async function checkMeans(
  context: EvaluationContext,
  owner: EvaluationOwner,
  model: ModelChoice,
  raised: Budget | undefined,
): Promise<void> {
  // The model under test has answered all of its questions by then.
  if (model.kind !== 'endpoint' || model.recording || asksOpinions(owner)) return
  const { settings, name } = model
  const budget = raised ?? owner.budget
  checkBudget(raised, settings)
  const over = budget ? overBudget(budget, await spentBy(context, owner), settings.prices) : null
  if (over !== null) throw new ProblemError('unprocessable', withLargerBudget(owner.id, over), '/budget')
  const why = await context.modelClient.check(settings)
  if (why !== null) throw new ProblemError('unprocessable', `the model ${name} can’t be asked: ${why}`)
}
