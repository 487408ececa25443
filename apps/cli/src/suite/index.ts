/** The suite that a command talks to: its clients, over HTTP only. */
import {
  evaluationOperations,
  executionOperations,
  type HttpOperations,
  type ServiceName,
  traceGenerationOperations,
} from '@stateeval/contracts'
import { createClient, ServiceError, UnreachableError } from '@stateeval/client'
import { Failure } from '../command.ts'
import { fetchWithCertificate } from '../local/certificate.ts'
import { authorization } from '../local/credential.ts'
import { serviceUrl } from '../local/home.ts'

const connect = <T extends HttpOperations>(service: ServiceName, operations: T) => {
  const fetch = fetchWithCertificate()
  return createClient(operations, {
    baseUrl: serviceUrl(service),
    headers: authorization(),
    ...(fetch && { fetch }),
  })
}
export const evaluation = () => connect('evaluation', evaluationOperations)
export const execution = () => connect('execution', executionOperations)
export const traceGeneration = () => connect('trace-generation', traceGenerationOperations)

/** Runs a command's requests; a service's problem becomes a failure that a person can act on. */
export async function talk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError) throw new Failure(error.problem.detail, 2, error.problem.field)
    if (error instanceof UnreachableError) throw new Failure(error.message)
    throw error
  }
}
