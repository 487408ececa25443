/** The suite that a command talks to: its clients, which use only HTTP. */
import {
  evaluationOperations,
  executionOperations,
  type HttpOperations,
  scoringOperations,
  type ServiceName,
  traceGenerationOperations,
  translationOperations,
} from '@stateeval/contracts'
import { createClient, ServiceError, streamOf, UnreachableError } from '@stateeval/client'
import { Failure } from '../command.ts'
import { fetchWithCertificate } from '../local/certificate.ts'
import { authorization } from '../local/credential.ts'
import { serviceUrl } from '../local/home.ts'
import type { Terminal } from '../terminal.ts'
import { guarded, orForeign } from './foreign.ts'
import { showingUpload } from './upload.ts'

function at(service: ServiceName, key?: string) {
  const fetch = fetchWithCertificate()
  const headers = key === undefined ? authorization() : { authorization: `Bearer ${key}` }
  return { baseUrl: serviceUrl(service), headers, ...(fetch && { fetch }) }
}
function connect<T extends HttpOperations>(service: ServiceName, operations: T, options = at(service)) {
  return guarded(createClient(operations, options), { service, operations, url: options.baseUrl })
}
/** @param key another one than the command's */
export const evaluation = (key?: string) => connect('evaluation', evaluationOperations, at('evaluation', key))
export type EvaluationClient = ReturnType<typeof evaluation>
/** Of another installation than the command's. */
export const evaluationAt = (baseUrl: string, key: string): EvaluationClient =>
  connect('evaluation', evaluationOperations, { baseUrl, headers: { authorization: `Bearer ${key}` } })
export const execution = () => connect('execution', executionOperations)
export const scoring = () => connect('scoring', scoringOperations)
export const translation = () => connect('translation', translationOperations)
export const traceGeneration = () => connect('trace-generation', traceGenerationOperations)

/** The same, with progress of what it sends. */
export function evaluationUpload(title: string, terminal: Terminal) {
  const { fetch, ...options } = at('evaluation')
  const client = createClient(evaluationOperations, {
    ...options,
    fetch: showingUpload(title, terminal, fetch),
  })
  return guarded(client, { service: 'evaluation', operations: evaluationOperations, url: options.baseUrl })
}

/** The bytes of a response from evaluation, as they arrive. */
export async function evaluationStream(
  id: keyof typeof evaluationOperations,
  request: Parameters<typeof streamOf>[2],
): Promise<AsyncIterable<Uint8Array>> {
  const options = at('evaluation')
  try {
    return await streamOf(evaluationOperations[id], options, request)
  } catch (error) {
    throw orForeign(error, 'evaluation', options.baseUrl)
  }
}

export async function evaluationText(...asked: Parameters<typeof evaluationStream>): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  for await (const piece of await evaluationStream(...asked))
    pieces.push(decoder.decode(piece, { stream: true }))
  return pieces.join('')
}

/** Runs a command's requests. A service's problem becomes a failure that the user can act on. */
export async function talk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError) throw new Failure(error.problem.detail, 2, error.problem.field)
    if (error instanceof UnreachableError) throw new Failure(error.message)
    throw error
  }
}
