/** Requests that are over, one way or the other: Fastify tells only of those whose answer went out whole. */
import { AsyncResource } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * The status of a request whose caller left before the answer was whole, as proxies write it down. Nobody is
 * sent it.
 */
export const callerLeft = 499

/**
 * Tells of each request once, within what it runs in here: that it was answered, with its status, or that its
 * caller left.
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
