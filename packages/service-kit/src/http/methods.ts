/**
 * Handles every HTTP method on every path: a method that a path does not support gets 405 with Allow, and
 * OPTIONS lists the supported ones.
 */
import { METHODS } from 'node:http'
import { ProblemError } from '@stateeval/contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Applies to routes that are added between this call and that of the returned function. */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  // CONNECT asks a proxy for a tunnel and never comes as a request.
  const methodNames = METHODS.filter((method) => method !== 'CONNECT')
  for (const method of methodNames)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set()
    methodsByUrl.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })
  return () => {
    for (const [url, methods] of [...methodsByUrl]) {
      const allowedMethods = [...methods, 'OPTIONS']
      const allow = allowedMethods.join(', ')
      // Before the body is read, so that its size or type says nothing.
      const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
        reply.header('allow', allow)
        throw new ProblemError('method-not-allowed', `${request.method} is not allowed here; use ${allow}`)
      }
      const others = methodNames.filter((method) => !allowedMethods.includes(method))
      app.route({
        method: others,
        url,
        schema: { hide: true },
        onRequest: refuse,
        handler: async () => undefined,
      })
      app.route({
        method: 'OPTIONS',
        url,
        schema: { hide: true },
        handler: async (_request, reply) => reply.code(204).header('allow', allow).send(),
      })
    }
  }
}
