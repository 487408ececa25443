/** Recognises answers of servers that are not the service that a command expects. */
import { type OperationClient, ServiceError } from '@stateeval/client'
import { type HttpOperation, type HttpOperations, isRecord, type ServiceName } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { getServiceVariable } from '../local/home.ts'

/** How an answer shows that it came from another server; undefined if it does not. */
function findForeignAnswer({ success }: HttpOperation, answer: unknown): string | undefined {
  const schemas = Object.values(success).map(({ schema }): { required?: string[] } | null => schema)
  const required = schemas.length === 1 ? (schemas[0]?.required ?? []) : []
  // Only what every version has: services and commands may differ in version.
  const lacks = ['id', 'items'].filter(
    (name) => required.includes(name) && (!isRecord(answer) || answer[name] === undefined),
  )
  if (lacks.length > 0) return `its answer has no ${lacks.join(' and no ')}`
  if (required.length > 0 && !(isRecord(answer) && required.some((name) => Object.hasOwn(answer, name))))
    return 'its answer has another form'
  return required.includes('items') && !Array.isArray((answer as { items: unknown }).items)
    ? 'its answer has no list in items'
    : undefined
}

/** The same for an error. A service answers with problems only; a proxy before it may answer otherwise. */
function findForeignError(error: unknown): string | undefined {
  if (error instanceof SyntaxError) return 'its answer is not valid JSON'
  if (!(error instanceof ServiceError)) return undefined
  const { type, status, detail } = error.problem as Partial<ServiceError['problem']>
  if (typeof detail !== 'string' || typeof status !== 'number') return 'its error has another form'
  if (status === 404 && detail.startsWith('there is no route ')) return detail.split(';')[0]
  return type === 'about:blank' && [404, 405, 501].includes(status) ? `it answers with ${status}` : undefined
}

const createForeignFailure = (service: ServiceName, url: string, fault: string) => {
  const variable = getServiceVariable(service)
  const name = process.env[variable] ? `${variable} (${url})` : url
  return new Failure(
    `${name} is not a StateEval ${service} service, or its version differs: ${fault}. ` +
      `Set ${variable} to the URL of the ${service} service, or unset it to use the one that \`npx stateeval up\` starts here.`,
  )
}

/** An error as it is, or a Failure that names the address if another server answered. */
export function explainForeign(error: unknown, service: ServiceName, url: string): unknown {
  const fault = findForeignError(error)
  return fault === undefined ? error : createForeignFailure(service, url, fault)
}

/**
 * The client, whose methods reject with a Failure that names the address if another server answers.
 */
export const guardClient = <T extends HttpOperations>(
  client: OperationClient<T>,
  { service, operations, url }: { service: ServiceName; operations: T; url: string },
): OperationClient<T> =>
  Object.fromEntries(
    Object.entries(client).map(([id, call]) => [
      id,
      async (request: never) => {
        let answer: unknown
        try {
          answer = await (call as (request: never) => Promise<unknown>)(request)
        } catch (error) {
          throw explainForeign(error, service, url)
        }
        const fault = findForeignAnswer(operations[id]!, answer)
        if (fault !== undefined) throw createForeignFailure(service, url, fault)
        return answer
      },
    ]),
  ) as unknown as OperationClient<T>
