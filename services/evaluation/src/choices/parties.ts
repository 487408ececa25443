/**
 * The further parties of an evaluation, from the request: those in its dialogues, and the model for second
 * opinions.
 */
import {
  type EvaluationOptions,
  type EvaluationRequest,
  type ModelSettings,
  ProblemError,
} from '@stateeval/contracts'
import type { EndpointModel } from '@stateeval/flows'
import { createLiveModel } from '@stateeval/models'
import type { Benchmark, ConsultedParty } from '@stateeval/program'
import type { ProjectArtifacts } from '@stateeval/service-kit'
import type { OpinionRequest } from '@stateeval/jobs'
import { requireRecording, isRecording, type ImportedRecordings } from '../recordings/recordings.ts'
import {
  checkAsked,
  checkBudget,
  type ModelChoices,
  requireModelSettings,
  type KnownModels,
} from './models.ts'
import { chooseResponses, type ResponseChoices } from './responses.ts'

export interface PartyChoices extends ModelChoices, ResponseChoices {
  liveApis: ReadonlyMap<string, unknown>
}
type ConsultedPart = ConsultedParty['what']

/** Gets the field of the request that names a part, as a JSON pointer. */
function getPartyField(what: ConsultedPart, { judge }: EvaluationRequest): string {
  if (what === 'user') return '/user'
  if (what === 'similar') return '/embeddings'
  const part = what.slice(what.indexOf(':') + 1)
  return what.startsWith('http:') ? '' : typeof judge === 'object' ? `/judge/${part}` : '/judge'
}

/** Finds the name that a request gives for a part. */
function findPartyName(
  what: ConsultedPart,
  { judge, user, embeddings }: EvaluationRequest,
): string | undefined {
  if (what === 'user') return user
  if (what === 'similar') return embeddings
  if (what.startsWith('http:')) return undefined
  return typeof judge === 'object' ? judge[what.slice('judge:'.length)] : judge
}

/**
 * The parties by part; undefined if none is needed. Throws a problem that names the field and the remedy.
 */
export async function chooseParties(
  context: PartyChoices,
  request: EvaluationRequest,
  benchmark: Benchmark,
  options: EvaluationOptions,
): Promise<Readonly<Record<string, EndpointModel>> | undefined> {
  const consulted = benchmark.asking.consults?.(options) ?? []
  checkNames(request, benchmark, consulted)
  const responses = await chooseResponses(context, request, benchmark, consulted)
  const parties: Record<string, EndpointModel> = {}
  for (const { what, required } of consulted) {
    const party = (await chooseParty(context, request, what)) ?? createRecordedApi(what, responses.get(what))
    if (party) parties[what] = party
    else if (required) throw createMissingParty(what, benchmark, request)
  }
  return Object.keys(parties).length === 0 ? undefined : parties
}

async function chooseParty(
  context: PartyChoices,
  request: EvaluationRequest,
  what: ConsultedPart,
): Promise<EndpointModel | null> {
  const { recording, fresh, budget } = request
  const name = findPartyName(what, request)
  const field = getPartyField(what, request)
  if (name !== undefined && isRecording(name)) {
    const party = (await requireRecording(context, name, field)).parties?.[what]
    if (party) return { kind: 'endpoint', ...party, recording: name }
    throw new ProblemError('unprocessable', `the recording ${name} has no model for ${what}`, field)
  }
  if (name !== undefined) {
    const settings = await requireModelSettings(context, name, field)
    const { api = 'chat' } = settings
    if ((what === 'similar') !== (api === 'embeddings') || (what === 'user' && api !== 'chat'))
      throw new ProblemError(
        'unprocessable',
        `the model ${name} has the api ${api}; for ${what} name a model of api ${what === 'similar' ? 'embeddings' : 'chat'}`,
        field,
      )
    checkBudget(budget, settings)
    await checkAsked(context, { name, settings }, field)
    return { kind: 'endpoint', name, settings, ...(fresh && { fresh }) }
  }
  const party =
    recording === undefined ? undefined : (await context.recordings.get(recording))?.parties?.[what]
  if (party) return { kind: 'endpoint', ...party, ...(recording !== undefined && { recording }) }
  const api = what.startsWith('http:') ? what.slice('http:'.length) : null
  return api !== null && context.liveApis.has(api)
    ? { kind: 'endpoint', ...createLiveModel(api), fresh: true }
    : null
}

/** A live API that the service does not have, by its recorded responses; null where there are none. */
const createRecordedApi = (
  what: ConsultedPart,
  responses: readonly string[] | undefined,
): EndpointModel | null =>
  responses ? { kind: 'endpoint', ...createLiveModel(what.slice('http:'.length)), responses } : null

function createMissingParty(
  what: ConsultedPart,
  benchmark: Benchmark,
  request: EvaluationRequest,
): ProblemError {
  const remedy = what.startsWith('http:')
    ? `declare the live API ${what.slice('http:'.length)} in STATEEVAL_LIVE_APIS_FILE of the evaluation service, or name recorded responses in responses`
    : what === 'similar'
      ? 'name a model of api embeddings in embeddings'
      : what === 'user'
        ? 'name a model in user'
        : `name a model in judge, or in judge.${what.slice('judge:'.length)}`
  return new ProblemError(
    'unprocessable',
    `${benchmark.kind} needs ${what}; ${remedy}`,
    getPartyField(what, request),
  )
}

/** Whoever is named has a part. */
function checkNames(
  { judge, user, embeddings }: EvaluationRequest,
  { kind }: Benchmark,
  consulted: readonly ConsultedParty[],
): void {
  const has = (what: string) => consulted.some((one) => one.what === what)
  const judges = consulted.flatMap(({ what }) =>
    what.startsWith('judge:') ? what.slice('judge:'.length) : [],
  )
  const refuse = (field: string, says: string) => new ProblemError('unprocessable', says, field)
  if (user !== undefined && !has('user')) throw refuse('/user', `${kind} simulates no user; leave user out`)
  if (embeddings !== undefined && !has('similar'))
    throw refuse('/embeddings', `${kind} compares no texts by embeddings; leave embeddings out`)
  if (judge !== undefined && judges.length === 0)
    throw refuse('/judge', `${kind} has no judge; leave judge out`)
  const unknown = typeof judge === 'object' && Object.keys(judge).find((part) => !judges.includes(part))
  if (typeof unknown === 'string')
    throw refuse(`/judge/${unknown}`, `${kind} has no judge ${unknown}; it has ${judges.join(', ')}`)
}

export interface OpinionChoices extends KnownModels, ImportedRecordings {
  artifacts: ProjectArtifacts
  /** The texts that second opinions are asked with, by kind of benchmark. */
  opinionPrompts: Readonly<Record<string, string>>
}

/**
 * The model for second opinions; null if the request wants none. A recording with opinions repeats them
 * unless the request names another model.
 */
export async function chooseOpinion(
  context: OpinionChoices,
  request: EvaluationRequest,
  benchmark: Benchmark,
): Promise<OpinionRequest | null> {
  const recorded =
    request.recording === undefined ? undefined : (await context.recordings.get(request.recording))?.opinion
  const name = request.secondOpinion ?? recorded?.name
  if (name === undefined) return null
  if (!benchmark.reporting?.opinions)
    throw new ProblemError(
      'unprocessable',
      `${benchmark.kind} reports no root causes, so it supports no second opinion; leave secondOpinion out`,
      '/secondOpinion',
    )
  return {
    by: await chooseOpinionModel(context, request, name, recorded),
    prompt: await context.artifacts.putJson(context.opinionPrompts[benchmark.kind]),
  }
}

async function chooseOpinionModel(
  context: OpinionChoices,
  { recording, fresh, budget }: EvaluationRequest,
  name: string,
  recorded: { name: string; settings: ModelSettings } | undefined,
): Promise<OpinionRequest['by']> {
  if (recorded?.name === name)
    return { kind: 'endpoint', ...recorded, ...(recording !== undefined && { recording }) }
  if (isRecording(name)) {
    const recordingEntry = await requireRecording(context, name, '/secondOpinion')
    const { name: of, settings } = recordingEntry.opinion ?? recordingEntry
    return { kind: 'endpoint', name: of, settings, recording: name }
  }
  // An endpoint that cannot be asked shows when it is asked: nothing else depends on opinions.
  const settings = await requireModelSettings(context, name, '/secondOpinion')
  checkBudget(budget, settings)
  return { kind: 'endpoint', name, settings, ...(fresh && { fresh }) }
}
