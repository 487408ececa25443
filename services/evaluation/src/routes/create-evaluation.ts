/** Creates evaluations. */
import { ProblemError } from '@stateeval/contracts'
import type { MessageBus, ServicePlatform, PendingCleanup } from '@stateeval/service-kit'
import {
  type SuiteCatalog,
  checkCases,
  checkChat,
  checkLanguages,
  completeEvaluationOptions,
  listSetWorlds,
} from '@stateeval/sets'
import {
  applyPreset,
  type ModelChoice,
  type EvaluationOwner,
  modelProbeStage,
  type ItemWindow,
  type RunningPlaces,
  takePlace,
  checkProvider,
  beginStage,
  createStage,
  type ResourceReader,
  type StageStarter,
  type OwnerSource,
  requireReadyBenchmark,
  describeEvaluation,
} from '@stateeval/jobs'
import { chooseModel, type GivenAnswers } from '../choices/models.ts'
import { chooseOpinion, chooseParties, type OpinionChoices, type PartyChoices } from '../choices/parties.ts'
import { createSamplesStage } from '../owners/evaluation-plan.ts'
import type { OperationRoute } from './route.ts'

/** Parts that create an evaluation: models, options, and its stores. */
interface EvaluationCreator
  extends
    OwnerSource,
    ResourceReader,
    GivenAnswers,
    OpinionChoices,
    PartyChoices,
    StageStarter,
    Pick<RunningPlaces, 'quota' | 'active'>,
    Pick<SuiteCatalog, 'benchmark' | 'scenarios'>,
    Pick<ServicePlatform, 'newId' | 'now'> {
  bus: MessageBus
  tidy: Pick<PendingCleanup, 'isRemoving'>
  window: ItemWindow
}

/** Detects a benchmark that is deleted at the same time: one of the two requests sees the other. */
export async function checkBenchmarkStays(
  { owners, tidy }: Pick<EvaluationCreator, 'owners' | 'tidy'>,
  { id, benchmark }: EvaluationOwner,
): Promise<void> {
  if (!(await tidy.isRemoving(benchmark)) && (await owners.benchmark(benchmark))) return
  await owners.end(id, { status: 'cancelled' })
  await owners.remove(id)
  throw new ProblemError('conflict', `the benchmark ${benchmark} is being deleted; import or build it again`)
}

/** Tells whether a model's endpoint is probed first: as requested, otherwise if its answers are paid for. */
function shouldProbe(choice: ModelChoice, wanted: boolean | undefined): boolean {
  if (choice.kind !== 'endpoint' || choice.recording) return false
  const { promptPerMillion = 0, completionPerMillion = 0 } = choice.settings.prices ?? {}
  return wanted ?? promptPerMillion + completionPerMillion > 0
}

export const createEvaluation: OperationRoute<'createEvaluation', EvaluationCreator> = async (
  { body: { request: body, answers }, idempotencyKey },
  context,
) => {
  const {
    benchmark: benchmarkId,
    model: _m,
    label: _l,
    partial: _p,
    budget,
    tags,
    fresh: _f,
    recording: _r,
    secondOpinion: _o,
    judge: _j,
    user: _u,
    embeddings: _e,
    responses: _s,
    probe,
    provider,
    ...chosenOptions
  } = body
  const { manifest, kind } = await requireReadyBenchmark(context, benchmarkId)
  const benchmark = context.benchmark(kind)
  const options = completeEvaluationOptions(benchmark, chosenOptions)
  await checkCases(context, benchmark, benchmarkId, options)
  if (options.language) {
    const worlds = await listSetWorlds(context, benchmarkId, manifest)
    await checkLanguages(context, worlds, [options.language], '/language')
    await checkProvider(context, worlds, provider, [options.language])
  } else await checkProvider(context, [], provider, [])
  if (options.prompting === 'reflect' && answers !== undefined)
    throw new ProblemError(
      'unprocessable',
      'prompting reflect needs a model that can be called again; choose another prompting',
      '/prompting',
    )
  const set = { digest: manifest.digest, kind, cases: manifest.counts.kept }
  const choice = applyPreset(await chooseModel(context, body, answers), benchmark, options)
  if (choice.kind === 'endpoint') checkChat(benchmark, options, choice.settings, '/model')
  const opinion = await chooseOpinion(context, body, benchmark)
  const parties = await chooseParties(context, body, benchmark, options)
  // A recording of other parties' answers, such as a judge's word or an API's response, says nothing of the
  // reference.
  const isRepeated = Object.values(parties ?? {}).some(({ recording, responses }) => recording ?? responses)
  const isProbed = shouldProbe(choice, probe)
  const { stage, total, window } = !isRepeated
    ? { stage: 'probe', total: 1, window: context.window }
    : isProbed
      ? { stage: modelProbeStage, total: 0, window: context.window }
      : createSamplesStage(context, { model: choice, set, options })
  context.bus.check()
  const id = context.newId('ev', idempotencyKey)
  await takePlace(context, 'evaluation', id)
  const { owner, created } = await context.owners.create<EvaluationOwner>({
    id,
    entity: 'evaluation',
    status: 'running',
    stage,
    stages: { [stage]: createStage(total, window) },
    createdAt: context.now().toISOString(),
    benchmark: benchmarkId,
    set,
    model: choice,
    options,
    recorded: true,
    ...(opinion && { opinion }),
    ...(isProbed && { probesFirst: true }),
    ...(parties && { parties }),
    ...(provider && { provider }),
    ...(budget && { budget }),
    ...(tags && { tags: tags.toSorted() }),
  })
  if (created) {
    await checkBenchmarkStays(context, owner)
    await beginStage(context, owner)
  }
  return {
    status: 202,
    body: await describeEvaluation(context, owner),
    headers: { location: `/v1/evaluations/${owner.id}` },
  }
}
