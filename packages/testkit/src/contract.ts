/** Checks a service against its contract. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listErrorStatuses, type HttpOperations, Problem } from '@stateeval/contracts'
import { createChecker } from '@stateeval/service-kit'

/**
 * The faults: operations without a handler, examples of bodies that do not fit their schemas, methods and
 * paths that are not unique.
 */
export function contractFaults(operations: HttpOperations, ...routesFolders: string[]): string[] {
  const routes = routesFolders
    .flatMap((folder) => globSync('*.ts', { cwd: folder }).map((file) => join(folder, file)))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const idByPlace = new Map<string, string>()
  return Object.entries(operations).flatMap(
    ([id, { method, path, body, example, success, errors, description }]) => {
      const faults: string[] = []
      if (!new RegExp(`^export const ${id}\\b`, 'm').test(routes))
        faults.push(`${id}: no file of routes/ exports a handler of this name`)
      const place = `${method} ${path}`
      if (idByPlace.has(place)) faults.push(`${id}: ${place} is ${idByPlace.get(place)} already`)
      idByPlace.set(place, id)
      if (body) faults.push(...exampleFaults(`${id}: its body`, body, example))
      for (const [status, { schema, contentType, example: exampleAnswer }] of Object.entries(success))
        if (schema && (contentType === undefined || exampleAnswer !== undefined))
          faults.push(...exampleFaults(`${id}: its answer ${status}`, schema, exampleAnswer))
      if (body && ![400, 413, 415].every((status) => errors.includes(status as 400)))
        faults.push(`${id}: takes a body, so it answers 400, 413 and 415`)
      // PUT makes what it names.
      if (path.includes(':') && method !== 'PUT' && !errors.includes(404))
        faults.push(`${id}: names a resource, so it answers 404`)
      if (description.length < 20) faults.push(`${id}: say in a sentence what it does`)
      return faults
    },
  )
}

function exampleFaults(
  what: string,
  schema: Parameters<typeof createChecker>[0],
  example: unknown,
): string[] {
  if (example === undefined)
    return [`${what} has no example: give a true one, as in packages/contracts/src/examples`]
  const fault = createChecker(schema).fault(example)
  return fault ? [`${what}: the example's ${fault.field} ${fault.says}`] : []
}

/** The fault of a response of an operation: status, content type or body. */
export function answerFault(
  operations: HttpOperations,
  id: string,
  response: { statusCode: number; headers: { [name: string]: unknown }; body: string },
): string | null {
  const operation = operations[id]
  if (!operation) return `there is no operation ${id}`
  const { statusCode } = response
  const type = response.headers['content-type'] as string
  const success = operation.success[statusCode as 200]
  if (!success) {
    if (!listErrorStatuses(operation).includes(statusCode)) return `${statusCode} is not declared`
    if (!type.startsWith('application/problem+json')) return `${statusCode} comes as ${type}`
    return findBodyFault(Problem, response.body)
  }
  if (!success.schema) return response.body === '' ? null : 'the body should be empty'
  const types = [success.contentType ?? 'application/json', ...(success.otherTypes ?? [])]
  if (!types.some((one) => type.startsWith(one))) return `the body comes as ${type}`
  return success.contentType ? null : findBodyFault(success.schema, response.body)
}

function findBodyFault(schema: Parameters<typeof createChecker>[0], body: string): string | null {
  const fault = createChecker(schema).fault(JSON.parse(body))
  return fault && `${fault.field || 'the body'} ${fault.says}`
}
