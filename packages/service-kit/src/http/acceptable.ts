/**
 * Content negotiation: an operation answers in one or a few formats, and a request that excludes all of
 * them gets 406 before its body is read.
 */
import { type HttpOperation, ProblemError } from '@stateeval/contracts'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

export function createAcceptHook({ success }: HttpOperation): (request: FastifyRequest) => Promise<void> {
  const types = Object.values(success).flatMap(
    ({ schema, contentType = 'application/json', otherTypes = [] }) =>
      schema === null ? [] : [contentType, ...otherTypes],
  )
  return async ({ headers }) => {
    const { accept } = headers
    if (types.length === 0 || !accept?.trim() || new Negotiator({ headers }).mediaTypes(types).length > 0)
      return
    throw new ProblemError(
      'not-acceptable',
      `the response is ${[...new Set(types)].join(' or ')}; accept that type, or leave out the Accept header`,
      'Accept',
    )
  }
}

/** The type that a request prefers; the first if it states none. */
export function choosePreferredType<T extends string>(
  types: readonly [T, ...T[]],
  { accept }: Readonly<Record<string, string | string[] | undefined>>,
): T {
  const headers = { accept: Array.isArray(accept) ? accept.join(', ') : accept }
  const [preferred = types[0]] = accept ? new Negotiator({ headers }).mediaTypes([...types]) : []
  return preferred as T
}
