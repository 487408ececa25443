/**
 * The session service: the application of design §3, with upstream's behaviour and error form. No listening
 * here.
 */
import swagger from '@fastify/swagger'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Db } from 'mongodb'
import { acceptsJson } from './accept.ts'
import {
  type BackendContext,
  defaultLimits,
  type StoreEvents,
  type RequestLimits,
  type QueryBounds,
} from './context.ts'
import { shared } from './contract.ts'
import { DatabaseError, createErrorBody, RequestRefusal } from './errors.ts'
import { info } from './openapi-info.ts'
import { sendJson } from './reply.ts'
import { checkPath, findMethods, listOptions, extractRawPath } from './request-path.ts'
import { routes } from './routes/index.ts'
import { createStore, type SessionStore } from './store.ts'
import type { SessionType } from '../types.ts'

export interface SessionServiceParts {
  db: Db
  /** Gives ids of 24 hex digits that grow. */
  newId: () => string
  now: () => Date
  log?: FastifyBaseLogger
  limits?: Partial<RequestLimits>
  /** The collection of a type. Default: one for each, as upstream has. */
  collectionOf?: (type: SessionType) => string
  events?: StoreEvents
  /** Limits of each query, within the service's limits. Default: the service's limits. */
  queryBounds?: () => Partial<QueryBounds>
  /** Sees each request first; may throw a Refusal. */
  admit?: (request: FastifyRequest) => void
  version?: string
  /** Collects the OpenAPI document of the routes; `app.swagger()` gives it. */
  openapi?: boolean
}

/** The service as an application: `listen` it, `inject` requests, or hand connections to its `server`. */
export const createApp = (parts: SessionServiceParts): FastifyInstance => createService(parts).app

/** The application with the store behind it, for those who also look at the database directly. */
export function createService(parts: SessionServiceParts): { app: FastifyInstance; store: SessionStore } {
  const { db, newId, now, log, events = {}, version = '' } = parts
  const limits = { ...defaultLimits, ...parts.limits }
  const store = createStore(db, newId, parts.collectionOf)
  const queryBounds = () => ({
    ms: limits.queryMs,
    filter: limits.filter,
    ...parts.queryBounds?.(),
  })
  const context: BackendContext = { store, now, newId, queryBounds, events, version }
  const onError = errorAnswer(now, events)
  const app = fastify({
    ...(log ? { loggerInstance: log } : {}),
    bodyLimit: limits.bodyBytes,
    // On a busy machine, plugins take longer to load than Fastify's ten seconds.
    pluginTimeout: 0,
    // Whoever breaks HTTP itself, or a percent code, is answered in the same form.
    frameworkErrors: (error, request, reply) => void onError(error, request, reply),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
  })
  readBodies(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders)
    parts.admit?.(request)
    checkPath(extractRawPath(request.raw.url ?? ''))
    // Refused before anything is stored. Updates and deletes answer nothing that a client could refuse.
    const answers = request.method === 'GET' || request.method === 'POST'
    if (
      answers &&
      !request.is404 &&
      request.routeOptions.url !== '/info' &&
      !acceptsJson(request.headers.accept)
    )
      await reply.code(406).send()
  })
  app.setErrorHandler(onError)
  app.setNotFoundHandler((request, reply) => answerNoRoute(request, reply))
  // Bodies, paths and parameters have their own rules and order; the schemas describe them.
  app.setValidatorCompiler(() => () => true)
  for (const schema of shared) app.addSchema(schema)
  if (parts.openapi)
    void app.register(swagger, {
      openapi: info,
      refResolver: {
        buildLocalReference: (json, _, __, i) => (typeof json.$id === 'string' ? json.$id : `def-${i}`),
      },
    })
  void app.register(async (scope) => {
    for (const route of routes) route(scope, context)
  })
  return { app, store }
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-xss-protection': '1; mode=block',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
}

/** Every body is a text, whatever its type says; only a form is none. */
function readBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_, __, done) =>
    done(null, undefined),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
}

/** No route of this method: 200 with Allow for OPTIONS, 405 with Allow where the path exists, else 404. */
function answerNoRoute(request: FastifyRequest, reply: FastifyReply) {
  const methods = findMethods(extractRawPath(request.raw.url ?? ''))
  if (!methods) throw new RequestRefusal(404, 'there is no such path')
  if (request.method === 'OPTIONS') return reply.header('allow', listOptions(methods)).send()
  void reply.header('allow', methods.join(', '))
  throw new RequestRefusal(405, `the path takes ${methods.join(', ')}`)
}

const errorAnswer =
  (now: () => Date, events: StoreEvents) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const status = (error as { statusCode?: number }).statusCode
    const ours = error instanceof DatabaseError || status === undefined
    if (ours) {
      request.log.error(error)
      events.failed?.(error instanceof Error ? error : new Error(String(error)))
    } else request.log.info({ status, reason: (error as Error).message }, 'refused')
    const code = status ?? 500
    return sendJson(
      reply.code(code),
      JSON.stringify(createErrorBody(code, extractRawPath(request.raw.url ?? ''), now())),
    )
  }
