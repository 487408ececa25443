/**
 * Shared components of all contracts besides schemas: headers, error responses, and the condition of a
 * request.
 */
import { STATUS_CODES } from 'node:http'
import {
  isCreating,
  listErrorStatuses,
  type HttpOperation,
  type ProblemCode,
  problems,
  formatProblemType,
} from '@stateeval/contracts'

type DocumentNode = Record<string, unknown>

const text = { type: 'string' }
const headers = {
  'X-Request-Id': {
    required: true,
    description: 'The id of the request, from its header or generated; also in the logs',
    schema: text,
  },
  Location: { description: 'The path of the resource', schema: text },
  ETag: { required: true, description: 'The version of the content', schema: text },
  'Cache-Control': { description: 'How long the content may be cached', schema: text },
  'Idempotency-Replayed': {
    description: 'Present if this is the stored response to the same Idempotency-Key',
    schema: { const: 'true' },
  },
  Allow: { required: true, description: 'The methods that the path supports', schema: text },
  'WWW-Authenticate': { required: true, description: 'How to authenticate', schema: { const: 'Bearer' } },
  'Retry-After': { description: 'When to try again, in seconds', schema: text },
}
type HeaderName = keyof typeof headers

const formatComponentName = (header: HeaderName) => header.replaceAll('-', '')
export const buildHeaderReference = (name: HeaderName) => ({
  $ref: `#/components/headers/${formatComponentName(name)}`,
})

/** The headers of a success response. */
export const buildResponseHeaders = (operation: HttpOperation, status: number): HeaderName[] => [
  'X-Request-Id',
  ...(status === 201 || status === 202 ? (['Location'] as const) : []),
  ...(isCreating(operation) ? (['Idempotency-Replayed'] as const) : []),
  ...(operation.etag ? (['ETag', 'Cache-Control'] as const) : []),
]

/** The name of an error response: MethodNotAllowed. */
export const formatResponseName = (status: number) => STATUS_CODES[status]!.replace(/\W/g, '')

/** The components that the operations reference. */
export function buildSharedComponents(operations: readonly HttpOperation[]): DocumentNode {
  const conditional = operations.some(({ etag }) => etag)
  const statuses = [...new Set(operations.flatMap(listErrorStatuses))].sort((a, b) => a - b)
  return {
    headers: Object.fromEntries(
      listUsedHeaders(operations, conditional).map((name) => [formatComponentName(name), headers[name]]),
    ),
    ...(conditional && { parameters: { IfNoneMatch: ifNoneMatch } }),
    responses: {
      ...(conditional && { NotModified: notModified }),
      ...Object.fromEntries(
        statuses.map((status) => [formatResponseName(status), buildProblemAnswer(status)]),
      ),
    },
  }
}

function listUsedHeaders(operations: readonly HttpOperation[], conditional: boolean): HeaderName[] {
  const names = new Set<HeaderName>([
    'X-Request-Id',
    'Allow',
    'WWW-Authenticate',
    'Retry-After',
    ...(conditional ? (['ETag', 'Cache-Control'] as const) : []),
  ])
  for (const operation of operations)
    for (const status of Object.keys(operation.success))
      for (const name of buildResponseHeaders(operation, Number(status))) names.add(name)
  return (Object.keys(headers) as HeaderName[]).filter((name) => names.has(name))
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags that the caller has; if one matches the content, the response is 304',
  schema: text,
}
const notModified = {
  description: 'The caller already has the content',
  headers: Object.fromEntries(
    (['X-Request-Id', 'ETag', 'Cache-Control'] as const).map((name) => [name, buildHeaderReference(name)]),
  ),
}

const besides: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  507: ['Retry-After'],
}

function buildProblemAnswer(status: number): DocumentNode {
  const codes = Object.entries(problems).filter(([, problem]) => problem.status === status)
  const [code, problem] = codes[0] as [ProblemCode, { title: string }]
  const names = ['X-Request-Id', ...(besides[status] ?? [])] as HeaderName[]
  return {
    description: codes.map(([, { title }]) => title).join('; or: '),
    headers: Object.fromEntries(names.map((name) => [name, buildHeaderReference(name)])),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: {
          type: formatProblemType(code),
          title: problem.title,
          status,
          detail: 'What happened, and what to do',
          requestId: '6f1c9a52',
        },
      },
    },
  }
}
