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

type EndListener = (status: number) => void
/** Of each response that is open, so that it has one listener of each kind, however many ask. */
const listeners = new WeakMap<FastifyReply['raw'], EndListener[]>()

function listen(reply: FastifyReply): EndListener[] {
  const { raw } = reply
  const all: EndListener[] = []
  const tellAll = (status: number) => {
    for (const tell of all) tell(status)
  }
  const left = () => tellAll(callerLeft)
  raw.once('close', left)
  raw.once('finish', () => {
    raw.off('close', left)
    tellAll(reply.statusCode)
  })
  listeners.set(raw, all)
  return all
}

/**
 * Reports each request once, in its context: that it was answered, with its status, or that its caller
 * disconnected.
 */
export function onOver(
  app: FastifyInstance,
  tell: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const all = listeners.get(reply.raw) ?? listen(reply)
    all.push(AsyncResource.bind((status: number) => tell(request, reply, status)))
    done()
  })
}
