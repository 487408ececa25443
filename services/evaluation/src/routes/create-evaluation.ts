import { EvaluationOptions, ProblemError } from '@stateeval/contracts'
import { checker } from '@stateeval/service-kit'
import { checkChat, checkOptions, usualLanguage } from '../check-options.ts'
import { chooseModel } from '../choose-model.ts'
import { chooseOpinion } from '../choose-opinion.ts'
import { chooseParties } from '../choose-parties.ts'
import type { Route } from '../context.ts'
import { beginStage, newStage } from '../owners/stage.ts'
import { checkLanguages, worldsOfSet } from '../languages.ts'
import { choiceWithPreset } from '../generation-settings.ts'
import type { EvaluationOwner } from '../owners/owner.ts'
import { samplesStage } from '../owners/evaluation-stages.ts'
import { evaluationResource, readyBenchmark } from '../resources.ts'

export const createEvaluation: Route<'createEvaluation'> = async ({ body, idempotencyKey }, context) => {
  const {
    benchmark: id,
    model: _m,
    answers: _a,
    label: _l,
    budget,
    fresh: _f,
    recording: _r,
    secondOpinion: _o,
    judge: _j,
    user: _u,
    embeddings: _e,
    ...given
  } = body
  const { manifest, benchmark } = await readyBenchmark(context, id)
  const kind = context.benchmark(benchmark)
  const language = usualLanguage(kind)
  const options = checker(EvaluationOptions).complete({
    ...(language && { language }),
    ...kind.defaults,
    ...structuredClone(given),
  })
  checkOptions(kind, options)
  if (options.language)
    await checkLanguages(context, await worldsOfSet(context, id, manifest), [options.language], '/language')
  if (options.prompting === 'reflect' && body.answers !== undefined)
    throw new ProblemError(
      'unprocessable',
      'answers made elsewhere can’t be asked again; choose another prompting than reflect',
      '/prompting',
    )
  const set = { manifest: manifest.id, benchmark, cases: manifest.counts.kept }
  const choice = choiceWithPreset(await chooseModel(context, body), kind, options)
  if (choice.kind === 'endpoint') checkChat(kind, options, choice.settings, '/model')
  const opinion = await chooseOpinion(context, body, kind)
  const parties = await chooseParties(context, body, kind, options)
  // What a recording's judges said of other answers says nothing of the reference.
  const isRepeated = Object.values(parties ?? {}).some(({ recording }) => recording)
  const { stage, total, window } = isRepeated
    ? samplesStage(context, { model: choice, set, options })
    : { stage: 'probe', total: 1, window: 1 }
  context.bus.check()
  const { owner, created } = await context.owners.create<EvaluationOwner>({
    id: context.newId('ev', idempotencyKey),
    kind: 'evaluation',
    status: 'running',
    stage,
    stages: { [stage]: newStage(total, window) },
    createdAt: context.now().toISOString(),
    benchmark: id,
    set,
    model: choice,
    options,
    ...(opinion && { opinion }),
    ...(parties && { parties }),
    ...(budget && { budget }),
  })
  if (created) await beginStage(context, owner)
  return {
    status: 202,
    body: await evaluationResource(context, owner),
    headers: { location: `/v1/evaluations/${owner.id}` },
  }
}
