/** Which settings a resumed evaluation asks its model with. */
import type { ModelSettings } from '@stateeval/contracts'
import { answerKey } from '@stateeval/models'
import type { Benchmark } from '@stateeval/program'
import { type Books, wasAnswered } from './asking/account.ts'
import type { Endpoint, ModelChoice } from './choice.ts'
import { withPreset } from './generation-settings.ts'
import { type KnownModels, settingsOf } from './models.ts'
import type { EvaluationOwner } from './owners/owner.ts'

/** What was asked so far, and how models are asked now. */
type Now = Books & KnownModels

/** What decides answers: the same for both, so they may stand in one evaluation. */
const sameAnswers = (a: ModelSettings, b: ModelSettings) =>
  answerKey(a, { messages: [] }, 0) === answerKey(b, { messages: [] }, 0)

/**
 * An evaluation has a copy of its model's settings, so that a change does not mix two models in one report. When it goes on,
 * it takes the settings of now where that can't happen: they give the same answers (another key, other limits, prices, times), or
 * nothing was answered yet (a wrong model id, a wrong host). A model that is not there any more stays as it was.
 */
export async function choiceOfNow(
  context: Now & { benchmark(id: string): Benchmark },
  owner: EvaluationOwner,
): Promise<ModelChoice> {
  const { model } = owner
  if (model.kind !== 'endpoint') return model
  const preset = (settings: ModelSettings) =>
    withPreset(settings, context.benchmark(owner.set.benchmark), owner.options)
  return endpointOfNow(context, owner, model, preset)
}

/** The same of those who play further parts. */
export async function partiesOfNow(
  context: Now,
  owner: EvaluationOwner,
): Promise<EvaluationOwner['parties']> {
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
  const found = await settingsOf(context, model.name)
  if (!found) return model
  const settings = preset(found)
  return sameAnswers(settings, model.settings) || !(await wasAnswered(context, owner))
    ? { ...model, settings }
    : model
}
