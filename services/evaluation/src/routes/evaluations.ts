/** Evaluations: created, listed, watched, cancelled. */
import { ProblemError } from '@stateeval/contracts'
import {
  type MessageBus,
  buildPage,
  pauseUnlessAborted,
  type ServicePlatform,
  type ServerEvent,
  type PendingCleanup,
} from '@stateeval/service-kit'
import type { SuiteCatalog } from '../catalog.ts'
import { applyPreset, type ModelChoice } from '../choices/choice.ts'
import { chooseModel, type GivenAnswers } from '../choices/models.ts'
import {
  checkCases,
  checkChat,
  checkLanguages,
  completeEvaluationOptions,
  listSetWorlds,
} from '../choices/options.ts'
import { chooseOpinion, chooseParties, type OpinionChoices, type PartyChoices } from '../choices/parties.ts'
import type { ChangeFeed } from '../owners/changes.ts'
import { createSamplesStage } from '../owners/evaluation-plan.ts'
import { type EvaluationOwner, isEnded, modelProbeStage } from '../owners/owner.ts'
import { type RemovalParts, removeOwner } from '../owners/removal.ts'
import type { ItemWindow } from '../capacity.ts'
import { type RunningPlaces, takePlace } from '../owners/places.ts'
import { checkProvider } from '../owners/provider.ts'
import { beginStage, createStage, type ResourceReader, type StageStarter } from '../owners/stage.ts'
import { requireEvaluation, type OwnerSource, requireReadyBenchmark } from './existing.ts'
import { describeEvaluation } from './resources.ts'
import type { OperationRoute } from './route.ts'

type EvaluationReader = OwnerSource & ResourceReader
/** Parts that create an evaluation: models, options, and its stores. */
interface EvaluationCreator
  extends
    EvaluationReader,
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

export const listEvaluations: OperationRoute<'listEvaluations', EvaluationReader> = async (
  { query: { limit = 50, cursor, tag } },
  context,
) => {
  const owners =
    tag === undefined
      ? await context.owners.page('evaluation', cursor, limit + 1)
      : await withTag(context, tag, cursor, limit + 1)
  const { items, ...rest } = buildPage(owners, limit)
  const resources = await Promise.all(items.map((owner) => describeEvaluation(context, owner)))
  return { status: 200, body: { items: resources, ...rest } }
}

/** Evaluations looked at in one go. */
const together = 500

/** The first of those after the cursor that have the tag. */
async function withTag(
  { owners }: OwnerSource,
  tag: string,
  cursor: string | undefined,
  wanted: number,
): Promise<EvaluationOwner[]> {
  const found: EvaluationOwner[] = []
  for (let after = cursor; ;) {
    const some = await owners.page('evaluation', after, together)
    found.push(...some.filter(({ tags }) => tags?.includes(tag)))
    after = some.at(-1)?.id
    if (some.length < together || found.length >= wanted) return found.slice(0, wanted)
  }
}

export const getEvaluation: OperationRoute<'getEvaluation', EvaluationReader> = async (
  { params },
  context,
) => ({
  status: 200,
  body: await describeEvaluation(context, await requireEvaluation(context, params.id)),
})

export const cancelEvaluation: OperationRoute<'cancelEvaluation', EvaluationReader> = async (
  { params: { id } },
  context,
) => {
  await requireEvaluation(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await describeEvaluation(context, await requireEvaluation(context, id)) }
}

/**
 * Between two looks at the store: any replica can tell how far an evaluation is, and a reader that comes back
 * misses nothing.
 */
const everyMs = 700

async function* streamProgress(
  id: string,
  context: EvaluationReader,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let last = ''
  while (!signal.aborted) {
    const owner = await requireEvaluation(context, id)
    const resource = await describeEvaluation(context, owner)
    const text = JSON.stringify(resource)
    if (text !== last) yield { event: 'progress', data: resource }
    last = text
    if (isEnded(owner)) {
      yield { event: 'end', data: { status: owner.status } }
      return
    }
    await pauseUnlessAborted(everyMs, signal)
  }
}

export const getEvaluationEvents: OperationRoute<'getEvaluationEvents', EvaluationReader> = async (
  { params: { id }, signal },
  context,
) => {
  await requireEvaluation(context, id)
  return { status: 200, events: streamProgress(id, context, signal) }
}

export const followEvaluations: OperationRoute<
  'followEvaluations',
  EvaluationReader & { changes: ChangeFeed }
> = async ({ query: { seconds = 600 }, headers, signal }, context) => {
  const since = parseEventTime(headers['last-event-id'])
  const events = context.changes.follow({
    ...(since && { since }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]),
    show: (owner) => describeEvaluation(context, owner),
  })
  return { status: 200, events }
}

function parseEventTime(id: string | string[] | undefined): Date | undefined {
  if (id === undefined || id === '') return undefined
  const time = typeof id === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{8,16}Z$/.test(id) ? new Date(id) : undefined
  if (time && !Number.isNaN(time.getTime())) return time
  throw new ProblemError(
    'validation-failed',
    'Last-Event-ID is not the id of an event of this stream; send such an id, or leave it out',
    'Last-Event-ID',
  )
}

export const changeEvaluationTags: OperationRoute<'changeEvaluationTags', EvaluationReader> = async (
  { params: { id }, body },
  context,
) => {
  const { add = [], remove = [] } = body
  const both = add.find((tag) => remove.includes(tag))
  if (both !== undefined)
    throw new ProblemError(
      'unprocessable',
      `the tag ${both} is both added and removed; name it once`,
      '/remove',
    )
  await requireEvaluation(context, id)
  await context.owners.tag(id, body)
  return { status: 200, body: await describeEvaluation(context, await requireEvaluation(context, id)) }
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

export const deleteEvaluation: OperationRoute<'deleteEvaluation', OwnerSource & RemovalParts> = async (
  { params: { id } },
  context,
) => {
  if (!isEnded(await requireEvaluation(context, id)))
    throw new ProblemError('conflict', `the evaluation ${id} is running; cancel it first`)
  await removeOwner(context, id)
  return { status: 204 }
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
