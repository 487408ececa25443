/**
 * Recorded responses of live APIs: for each API, the evaluations and recordings of the request that contain
 * them.
 */
import { type EvaluationRequest, ProblemError } from '@stateeval/contracts'
import type { EndpointModel } from '@stateeval/flows'
import type { Benchmark, ConsultedParty } from '@stateeval/program'
import type { OwnerStore } from '@stateeval/jobs'
import { requireRecording, isRecording, type ImportedRecordings } from '../recordings/recordings.ts'

export interface ResponseChoices extends ImportedRecordings {
  owners: OwnerStore
}
/** Recordings in which responses are looked for, one after the other, by part. */
type ResponseSources = ReadonlyMap<string, readonly string[]>

const isLive = (part: string) => part.startsWith('http:')

/**
 * Throws a problem that names the source if it does not exist, has not ended, or has no response of the
 * benchmark's APIs.
 */
export async function chooseResponses(
  context: ResponseChoices,
  { responses = [] }: EvaluationRequest,
  { kind }: Benchmark,
  consulted: readonly ConsultedParty[],
): Promise<ResponseSources> {
  const parts = consulted.map(({ what }) => what as string).filter(isLive)
  if (responses.length > 0 && parts.length === 0)
    throw new ProblemError('unprocessable', `${kind} calls no live API; leave responses out`, '/responses')
  const placesByPart = new Map<string, Set<string>>()
  for (const [at, id] of responses.entries()) {
    const field = `/responses/${at}`
    const sources = isRecording(id)
      ? await openRecording(context, id, field)
      : await openEvaluationResponses(context, id, field)
    const usable = [...sources].filter(([part]) => parts.includes(part))
    if (usable.length === 0)
      throw new ProblemError('unprocessable', `${id} ${describeSources(sources, kind)}; leave it out`, field)
    for (const [part, where] of usable)
      placesByPart.set(part, new Set([...(placesByPart.get(part) ?? []), ...where]))
  }
  return new Map([...placesByPart].map(([part, where]) => [part, [...where]]))
}

const describeSources = (sources: ResponseSources, kind: string) =>
  sources.size === 0
    ? 'has no responses of a live API'
    : `has responses of ${[...sources.keys()].map((part) => part.slice('http:'.length)).join(', ')} only, which ${kind} does not call`

async function openRecording(
  context: ImportedRecordings,
  id: string,
  field: string,
): Promise<ResponseSources> {
  const { parties = {} } = await requireRecording(context, id, field)
  return new Map(Object.keys(parties).flatMap((part) => (isLive(part) ? [[part, [id]]] : [])))
}

async function openEvaluationResponses(
  { owners }: ResponseChoices,
  id: string,
  field: string,
): Promise<ResponseSources> {
  const owner = await owners.evaluation(id)
  if (!owner)
    throw new ProblemError(
      'unprocessable',
      `there is no evaluation ${JSON.stringify(id)}; GET /v1/evaluations lists them`,
      field,
    )
  if (!owner.ended)
    throw new ProblemError(
      'unprocessable',
      `the evaluation ${id} has not succeeded yet; its responses would be incomplete`,
      field,
    )
  return new Map(
    Object.entries(owner.parties ?? {}).flatMap(([part, party]) =>
      isLive(part) ? [[part, findResponseOrigin(id, party)] as const] : [],
    ),
  )
}

/** An evaluation that took its own responses from elsewhere leads there. */
const findResponseOrigin = (id: string, { recording, responses }: EndpointModel): readonly string[] =>
  recording === undefined ? (responses ?? [id]) : [recording]
