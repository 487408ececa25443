/** Converts every error to application/problem+json. Internal errors show only the request id. */
import {
  type Problem,
  type ProblemCode,
  ProblemError,
  problems,
  formatProblemType,
} from '@stateeval/contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CallerLeft, isAway, isDiskFull, JobRefusal } from '../errors.ts'

/** Fastify's own error codes, in our words. */
const fastifyCodes: Record<string, { code: ProblemCode; detail: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported-media-type',
    detail: 'send the body as application/json',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'malformed-body', detail: 'the body is empty; send JSON' },
  // The parser doesn't tell which of the two it is.
  FST_ERR_CTP_INVALID_JSON_BODY: {
    code: 'malformed-body',
    detail:
      'the body is not valid JSON, or has a key that would set a prototype; check quotes, commas, braces, and for __proto__',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'malformed-body',
    detail: 'content-length does not match the body',
  },
  FST_ERR_BAD_URL: { code: 'not-found', detail: 'the path is malformed' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not-found', detail: 'a part of the path is too long' },
}

/** Details name what was sent, which may be anything. */
const longestDetail = 1000

export function toProblem(error: unknown, request: Pick<FastifyRequest, 'id'>, bodyLimit?: number): Problem {
  const make = (code: ProblemCode, detail: string, field?: string): Problem => ({
    type: formatProblemType(code),
    title: problems[code].title,
    status: problems[code].status,
    detail: detail.length > longestDetail ? `${detail.slice(0, longestDetail)} …` : detail,
    ...(field !== undefined && { field }),
    requestId: request.id,
  })
  if (error instanceof ProblemError) return make(error.code, error.message, error.field)
  if (error instanceof JobRefusal) return make('unprocessable', error.message)
  if (isDiskFull(error))
    return make(
      'insufficient-storage',
      'the disk of a database that this service needs is full; free space on it, then send the request again',
    )
  if (isAway(error))
    return make('unavailable', 'a database that this service needs is unavailable; try again in a moment')
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return make(
      'payload-too-large',
      `the body may have ${bodyLimit === undefined ? 'fewer' : `at most ${bodyLimit}`} bytes; send less, or in parts`,
    )
  }
  const entry = fastifyCodes[code]
  if (entry) return make(entry.code, entry.detail)
  if (statusCode === 400)
    return make('malformed-body', 'the body is not valid JSON; check quotes, commas and braces')
  return make('internal', 'internal error; report the request id (the service’s log has the details)')
}

/** Seconds after which a refused request may be sent again, where the problem itself names none. */
const usualRetryAfter: Readonly<Record<number, number>> = { 429: 1, 503: 2, 507: 10 }

export function sendProblem(
  reply: FastifyReply,
  problem: Problem,
  retryAfter: number | undefined = usualRetryAfter[problem.status],
): FastifyReply {
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  // Also where the router answers before any hook has run.
  if (problem.requestId !== undefined) reply.header('x-request-id', problem.requestId)
  return reply.code(problem.status).type('application/problem+json').serializer(JSON.stringify).send(problem)
}

export function addProblemHandlers(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request, request.routeOptions.bodyLimit)
    if (problem.status === 500 && !(error instanceof CallerLeft))
      request.log.error({ err: error }, 'unexpected error')
    return sendProblem(reply, problem, error instanceof ProblemError ? error.retryAfter : undefined)
  })
  app.setNotFoundHandler((request, reply) =>
    sendProblem(
      reply,
      toProblem(
        new ProblemError(
          'not-found',
          `there is no route ${request.url.split('?')[0]}; /docs lists the routes`,
        ),
        request,
      ),
    ),
  )
}
