/**
 * Requests that are invalid HTTP, have too large headers or are too slow. Node refuses them before a
 * request exists.
 */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ProblemError } from '@stateeval/contracts'
import { toProblem } from './problems.ts'

const byCode: Readonly<Record<string, () => ProblemError>> = {
  HPE_HEADER_OVERFLOW: () =>
    new ProblemError('headers-too-large', 'the headers or the URL are larger than 16 KiB; send less'),
  HPE_INVALID_METHOD: () => new ProblemError('method-not-allowed', `the method is unknown; use ${allow}`),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new ProblemError(
      'timeout',
      'the request timed out before it was complete; send it faster, or send less at once',
    ),
}
const createMalformedError = () =>
  new ProblemError(
    'malformed-request',
    'the request is not valid HTTP; check its first line, headers and length',
  )
const allow = 'GET, HEAD, POST, PUT, DELETE, OPTIONS'

/** Fastify's clientErrorHandler: writes the problem to the socket and closes it. */
export function writeClientError({ code }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET') return void socket.destroy()
  // Data after the last answer need not be HTTP.
  if (!socket.writable) return socket.destroySoon()
  const id = randomUUID()
  const problem = toProblem((byCode[code ?? ''] ?? createMalformedError)(), { id })
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    ...(problem.status === 405 ? [`allow: ${allow}`] : []),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
