/** The service that served the page, by the contract's operations, with the current key. */
import { createClient, type Client, serverEvents, ServiceError } from '@stateeval/client'
import type { evaluationOperations, EvaluationResource } from '@stateeval/contracts'
import { inFile, operations } from 'virtual:contract'
import { fileApi } from './file.ts'
import { currentSession, keyInUse } from './session.ts'
import { fetchStarted } from './started.ts'

export type Api = Client<typeof evaluationOperations>

export const headersFor = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

/** With a new key; without one, with the key that is current at the time of a request. */
export function apiWith(key: string | undefined): Api {
  return createClient(operations, {
    baseUrl: location.origin,
    headers: headersFor(key),
    fetch: fetchStarted(key),
  })
}

let made: { key: string | undefined; api: Api } | undefined
export function api(): Api {
  if (inFile) return fileApi
  const key = keyInUse(currentSession())
  if (!made || made.key !== key) made = { key, api: apiWith(key) }
  return made.api
}

/** The progress of a running evaluation, as the service streams it; ends with the evaluation. */
export async function* progressOf(id: string, signal: AbortSignal): AsyncGenerator<EvaluationResource> {
  const url = `${location.origin}/v1/evaluations/${encodeURIComponent(id)}/events`
  const headers = headersFor(keyInUse(currentSession()))
  for await (const { event, data } of serverEvents(url, { signal, headers })) {
    if (event === 'progress') yield JSON.parse(data) as EvaluationResource
    if (event === 'end') return
  }
  // A service that stops, or that cannot read on, ends the stream so that the reader comes back.
  throw new Error('the stream ended before the evaluation')
}

type Told =
  | { id?: string; event: 'start'; data: { missed: boolean } }
  | { id?: string; event: 'evaluation'; data: EvaluationResource }
  | { id?: string; event: 'removed'; data: { id: string } }

/** Streams the changes of all evaluations, from the event with that id on. */
export async function* changesSince(last: string | undefined, signal: AbortSignal): AsyncGenerator<Told> {
  const url = `${location.origin}${operations.followEvaluations.path}`
  const headers = {
    ...headersFor(keyInUse(currentSession())),
    ...(last !== undefined && { 'last-event-id': last }),
  }
  for await (const one of serverEvents(url, { signal, headers }))
    yield { ...one, data: JSON.parse(one.data) as unknown } as Told
}

export const isRefusal = (error: unknown, status: number): boolean =>
  error instanceof ServiceError && error.problem.status === status
