/**
 * Each request is a span in the trace of its `traceparent`, or in a new one; `Server-Timing` reports where
 * its time went.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onOver } from './over.ts'
import type { TraceSpan, SpanTracer } from '../tracing/tracer.ts'

/** Call this before adding other hooks, which then run within the span. Health checks have no span. */
export function traceRequests(app: FastifyInstance, tracer: () => SpanTracer): void {
  const spans = new WeakMap<FastifyRequest, TraceSpan>()
  const within = (request: FastifyRequest, done: () => void) => {
    const span = spans.get(request)
    return span ? span.within(done) : done()
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    if (route.startsWith('/health') || route === '/metrics') return done()
    spans.set(request, tracer().begin(`${request.method} ${route}`, 'server', request.headers['traceparent']))
    within(request, done)
  })
  // Reading a body left the request's span, so it is entered again.
  app.addHook('preValidation', (request, _reply, done) => within(request, done))
  app.addHook('onSend', (request, reply, _payload, done) => {
    const parts = spans.get(request)?.parts
    if (parts?.size)
      reply.header('server-timing', [...parts].map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', '))
    done()
  })
  onOver(app, (request, _reply, status) => {
    const attributes = {
      'http.request.method': request.method,
      'http.response.status_code': status,
      'http.request.id': request.id,
    }
    spans.get(request)?.end(attributes, status >= 500 ? `answered ${status}` : undefined)
  })
}
