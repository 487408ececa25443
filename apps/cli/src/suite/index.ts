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
import { createClient, ServiceError, openStream, UnreachableError } from '@stateeval/client'
import { Failure } from '../command.ts'
import { fetchWithCertificate } from '../local/certificate.ts'
import { readAuthorization } from '../local/credential.ts'
import { getServiceUrl } from '../local/home.ts'
import type { CommandTerminal } from '../terminal.ts'
import { guardClient, explainForeign } from './foreign.ts'
import { showUpload } from './upload.ts'

function createServiceOptions(service: ServiceName, key?: string) {
  const fetch = fetchWithCertificate()
  const headers = key === undefined ? readAuthorization() : { authorization: `Bearer ${key}` }
  return { baseUrl: getServiceUrl(service), headers, ...(fetch && { fetch }) }
}
function connect<T extends HttpOperations>(
  service: ServiceName,
  operations: T,
  options = createServiceOptions(service),
) {
  return guardClient(createClient(operations, options), { service, operations, url: options.baseUrl })
}
/** @param key another one than the command's */
export const connectEvaluation = (key?: string) =>
  connect('evaluation', evaluationOperations, createServiceOptions('evaluation', key))
export type EvaluationClient = ReturnType<typeof connectEvaluation>
/** Connects to the evaluation service of another installation. */
export const connectEvaluationElsewhere = (baseUrl: string, key: string): EvaluationClient =>
  connect('evaluation', evaluationOperations, { baseUrl, headers: { authorization: `Bearer ${key}` } })
export const connectExecution = () => connect('execution', executionOperations)
export const connectScoring = () => connect('scoring', scoringOperations)
export const connectTranslation = () => connect('translation', translationOperations)
export const connectTraceGeneration = () => connect('trace-generation', traceGenerationOperations)

/** The same, with progress of what it sends. */
export function connectUpload(title: string, terminal: CommandTerminal) {
  const { fetch, ...options } = createServiceOptions('evaluation')
  const client = createClient(evaluationOperations, {
    ...options,
    fetch: showUpload(title, terminal, fetch),
  })
  return guardClient(client, {
    service: 'evaluation',
    operations: evaluationOperations,
    url: options.baseUrl,
  })
}

/** The bytes of a response from evaluation, as they arrive. */
export async function openEvaluationStream(
  id: keyof typeof evaluationOperations,
  request: Parameters<typeof openStream>[2],
): Promise<AsyncIterable<Uint8Array>> {
  const options = createServiceOptions('evaluation')
  try {
    return await openStream(evaluationOperations[id], options, request)
  } catch (error) {
    throw explainForeign(error, 'evaluation', options.baseUrl)
  }
}

export async function readEvaluationText(...asked: Parameters<typeof openEvaluationStream>): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  for await (const piece of await openEvaluationStream(...asked))
    pieces.push(decoder.decode(piece, { stream: true }))
  return pieces.join('')
}

/** Runs a command's requests. A service's problem becomes a failure that the user can act on. */
export async function runRequests<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError) throw new Failure(error.problem.detail, 2, error.problem.field)
    if (error instanceof UnreachableError) throw new Failure(error.message)
    throw error
  }
}
