/**
 * Content negotiation: an operation answers in one form, and a request that excludes it gets 406 before its
 * body is read.
 */
import { type HttpOperation, ProblemError } from '@stateeval/contracts'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

export function acceptable({ success }: HttpOperation): (request: FastifyRequest) => Promise<void> {
  const types = Object.values(success).flatMap(({ schema, contentType = 'application/json' }) =>
    schema === null ? [] : [contentType],
  )
  return async ({ headers }) => {
    const { accept } = headers
    if (types.length === 0 || !accept?.trim() || new Negotiator({ headers }).mediaTypes(types).length > 0)
      return
    throw new ProblemError(
      'not-acceptable',
      `the answer is ${[...new Set(types)].join(' or ')}; accept that, or leave the header out`,
      'Accept',
    )
  }
}
