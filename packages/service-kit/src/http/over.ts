/**
 * Detects the end of requests, in every case: Fastify reports only those whose response was sent
 * completely.
 */
import { AsyncResource } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * The status of a request whose caller disconnected before the response was complete, as in logs of
 * proxies. It is never sent.
 */
export const callerLeft = 499

/**
 * Reports each request once, in its context: that it was answered, with its status, or that its caller
 * disconnected.
 */
export function onOver(
  app: FastifyInstance,
  tell: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    const over = AsyncResource.bind((status: number) => tell(request, reply, status))
    const left = () => over(callerLeft)
    raw.once('close', left)
    raw.once('finish', () => {
      raw.off('close', left)
      over(reply.statusCode)
    })
    done()
  })
}
