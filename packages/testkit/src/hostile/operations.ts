/** Operations as a caller reads them in a service's OpenAPI document. */

export interface DescribedOperation {
  id: string
  method: string
  /** With the places in braces. */
  path: string
  /** Names of its parameters in the query. */
  query: readonly string[]
  statuses: readonly number[]
  /** An example of its body; absent where it takes none. */
  example?: unknown
  isStream: boolean
}

interface OpenApiOperation {
  operationId: string
  parameters?: { in?: string; name?: string }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { content?: object }>
}
export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>
}

export const describedOperations = ({ paths }: OpenApiDocument): DescribedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      query: parameters.flatMap((one) => (one.in === 'query' && one.name ? [one.name] : [])),
      statuses: Object.keys(responses).map(Number),
      ...(requestBody && { example: requestBody.content['application/json']?.example ?? {} }),
      isStream: Object.values(responses).some(
        ({ content }) => content !== undefined && 'text/event-stream' in content,
      ),
    })),
  )
