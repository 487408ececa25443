/** The service that served the page, by the contract's operations, with the current key. */
import { createClient, type OperationClient, readServerEvents } from '@stateeval/client'
import type { evaluationOperations, EvaluationResource } from '@stateeval/contracts'
import { inFile, operations } from 'virtual:contract'
import { fileApi } from './file.ts'
import { getCurrentSession, findKeyInUse } from './session.ts'
import { fetchStarted } from './started.ts'

export type EvaluationApi = OperationClient<typeof evaluationOperations>

const createHeaders = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

/** With a new key; without one, with the key that is current at the time of a request. */
export function createApi(key: string | undefined): EvaluationApi {
  return createClient(operations, {
    baseUrl: location.origin,
    headers: createHeaders(key),
    fetch: fetchStarted(key),
  })
}

let made: { key: string | undefined; api: EvaluationApi } | undefined
export function getApi(): EvaluationApi {
  if (inFile) return fileApi
  const key = findKeyInUse(getCurrentSession())
  if (!made || made.key !== key) made = { key, api: createApi(key) }
  return made.api
}

/** The progress of a running evaluation, as the service streams it; ends with the evaluation. */
export async function* streamEvaluationProgress(
  id: string,
  signal: AbortSignal,
): AsyncGenerator<EvaluationResource> {
  const url = `${location.origin}/v1/evaluations/${encodeURIComponent(id)}/events`
  const headers = createHeaders(findKeyInUse(getCurrentSession()))
  for await (const { event, data } of readServerEvents(url, { signal, headers })) {
    if (event === 'progress') yield JSON.parse(data) as EvaluationResource
    if (event === 'end') return
  }
  // A service that stops, or that cannot read on, ends the stream so that the reader comes back.
  throw new Error('the stream ended before the evaluation')
}

type ChangeMessage =
  | { id?: string; event: 'start'; data: { missed: boolean } }
  | { id?: string; event: 'evaluation'; data: EvaluationResource }
  | { id?: string; event: 'removed'; data: { id: string } }

/** Streams the changes of all evaluations, from the event with that id on. */
export async function* streamChanges(
  last: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ChangeMessage> {
  const url = `${location.origin}${operations.followEvaluations.path}`
  const headers = {
    ...createHeaders(findKeyInUse(getCurrentSession())),
    ...(last !== undefined && { 'last-event-id': last }),
  }
  for await (const one of readServerEvents(url, { signal, headers }))
    yield { ...one, data: JSON.parse(one.data) as unknown } as ChangeMessage
}
