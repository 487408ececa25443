/** Checks a service's responses to invalid requests against the needs of callers. */
import { type HttpOperations, Problem, findSchemaFault } from '@stateeval/contracts'
import { answerFault } from './contract.ts'
import { type Nonsense, nonsense } from './nonsense.ts'

interface Answered {
  statusCode: number
  headers: { [name: string]: unknown }
  body: string
}
/** As Fastify’s `inject`. */
interface App {
  inject(request: {
    method: Nonsense['method']
    url: string
    headers: Record<string, string>
    payload?: string
  }): Promise<Answered>
}
interface NonsenseOptions {
  /** Of all requests, each so many-th. Default: all where STATEEVAL_LONG says so, else one in 100. */
  every?: number
  /** Operations that are not asked, where an answer takes long or work goes on behind it. */
  without?: readonly string[]
}

/**
 * The faults of the responses, in sentences. It is empty if each is a success as declared, or a helpful
 * problem.
 */
export async function nonsenseFaults(
  app: App,
  operations: HttpOperations,
  options: NonsenseOptions = {},
): Promise<string[]> {
  const { every = process.env['STATEEVAL_LONG'] === '1' ? 1 : 100, without = [] } = options
  const faults: string[] = []
  let at = 0
  for (const { id, what, method, url, headers, payload } of nonsense(operations)) {
    if (at++ % every !== 0 || without.includes(id)) continue
    const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    const fault = findAnswerFault(operations, id, answer)
    if (fault !== null) faults.push(`${id}, where ${what}: ${fault}`)
  }
  return faults
}

function findAnswerFault(operations: HttpOperations, id: string, answer: Answered): string | null {
  const { statusCode, body } = answer
  if (statusCode >= 500) return `${statusCode} ${body.slice(0, 200)}`
  const problem = statusCode >= 400 ? (JSON.parse(body) as Problem) : null
  // A path that is none leads to no operation.
  const undeclared = statusCode === 404 && problem !== null && findSchemaFault(Problem, problem) === null
  const fault = undeclared ? null : answerFault(operations, id, answer)
  if (fault !== null || problem === null) return fault
  const { detail, field, type } = problem
  if (detail.length < 10 || /undefined|\[object/.test(detail)) return `its detail helps nobody: ${detail}`
  const named = field !== undefined || ![400, 422].includes(statusCode) || type.endsWith('malformed-body')
  return named ? null : `no field is named: ${detail}`
}
