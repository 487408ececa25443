/** The HTTP side of a service, made from its operations and handlers. It does not listen yet. */
import { randomUUID } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import underPressure from '@fastify/under-pressure'
import { type HttpOperations, ProblemError } from '@stateeval/contracts'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import type { RequestAuthenticator } from '../access/authenticate.ts'
import { anonymous } from '../access/principal.ts'
import type { BaseConfig } from '../config.ts'
import { type ServiceLog, removeSecrets } from '../log.ts'
import type { ServicePlatform } from '../platform.ts'
import { writeClientError } from './client-errors.ts'
import type { AnyHandlers } from './handler.ts'
import { type ServerChecks, createServerChecks } from '../server-checks.ts'
import { addHealth } from './health.ts'
import type { BodyModule } from './body-works.ts'
import { createBodyReader } from './read-body.ts'
import type { InFlight } from './in-flight.ts'
import { lingerOnClose } from './linger.ts'
import { refuseOtherMethods } from './methods.ts'
import { openApiDocument } from './openapi.ts'
import { documentationHeaders } from './page-headers.ts'
import { addProblemHandlers, sendProblem, toProblem } from './problems.ts'
import { callerLeft, onOver } from './over.ts'
import { addOperations } from './routes.ts'
import { createHttpsOptions, requireCertificates } from './tls.ts'
import { traceRequests } from './trace-requests.ts'

interface AppParts<Context> {
  name: string
  description: string
  operations: HttpOperations
  handlers: AnyHandlers<Context>
  /** The address of a BodyModule. */
  bodies: URL
  platform: ServicePlatform
  context: Context
  config: BaseConfig
  log: ServiceLog
  /** Finds the caller, or throws a problem. Default: nobody is identified, as on a laptop. */
  authenticate?: RequestAuthenticator
  /** Aborted when the service begins to stop: it is not ready from then on. */
  stopping?: AbortSignal
  /** Counts the requests. */
  inFlight?: InFlight
  /** Default: of a service without jobs. */
  servers?: ServerChecks
  /** Routes outside the contract, `/` among them. */
  extend?(this: void, app: FastifyInstance, context: Context): void | Promise<void>
}

export async function buildApp<Context>(parts: AppParts<Context>): Promise<FastifyInstance> {
  const { platform, context, config, log } = parts
  const loggerInstance: FastifyBaseLogger = log
  const app = fastify({
    ...(config.http.tls && { https: createHttpsOptions(config.http.tls) }),
    loggerInstance,
    // One line a request is written below, with what matters; Fastify's two are not.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.http.bodyLimit,
    ...(config.http.trustedProxies.length > 0 && { trustProxy: [...config.http.trustedProxies] }),
    genReqId: ({ headers }) => {
      const requestId = headers['x-request-id']
      return typeof requestId === 'string' && /^[\w.:-]{1,128}$/.test(requestId) ? requestId : randomUUID()
    },
    routerOptions: { maxParamLength: 500 },
    // Keep-alive connections would hold a stopping service for as long as they like.
    forceCloseConnections: true,
    requestTimeout: 300_000,
    // On a busy machine, plugins take longer to load than Fastify's ten seconds.
    pluginTimeout: 0,
    clientErrorHandler: writeClientError,
    // Answered below, as a problem.
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => void sendProblem(reply, toProblem(error, request)),
  })
  // Node would answer 417 without a body. Nobody needs to meet what they do not know (RFC 9110).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  lingerOnClose(app)
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('principal', null)
  if (config.http.tls?.clientCaFile) requireCertificates(app)
  addProblemHandlers(app)
  parts.inFlight?.watch(app)
  traceRequests(app, () => platform.tracer)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      throw new ProblemError('malformed-request', 'the Host header is missing', 'Host')
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Closes kept connections, so that clients send the next request elsewhere.
    if (parts.stopping?.aborted) reply.header('connection', 'close')
    done()
  })
  app.addHook('onRequest', async () => platform.metrics.httpInFlight.inc())
  onOver(app, (request, { elapsedTime }, status) => {
    platform.metrics.httpInFlight.dec()
    const route = request.routeOptions.url ?? 'none'
    platform.metrics.httpSeconds.observe({ method: request.method, route, status }, elapsedTime / 1000)
    if (route.startsWith('/health') || route === '/metrics') return
    const about = {
      method: request.method,
      url: removeSecrets(request.url),
      status,
      ms: Math.round(elapsedTime),
    }
    request.log.info(
      about,
      status === callerLeft ? 'the caller disconnected before the response was complete' : 'answered',
    )
  })
  if (config.http.maxLagMs > 0) await addBackPressure(app, config.http.maxLagMs)
  await app.register(swagger, {
    mode: 'static',
    // The plugin's types lack OpenAPI 3.1, but it passes on any document unchanged.
    specification: { document: openApiDocument(parts) as never },
  })
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(documentationHeaders))
    await scope.register(swaggerUi, { routePrefix: '/docs', uiConfig: { defaultModelsExpandDepth: 0 } })
  })
  const refuseOthers = refuseOtherMethods(app)
  // A browser that is sent to the service itself finds what it can be asked.
  if (parts.extend) await parts.extend(app, context)
  else app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'))
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  addHealth(app, platform, {
    ...(parts.servers ?? createServerChecks(platform, [])),
    service: async () => {
      if (parts.stopping?.aborted) throw new Error('stopping')
    },
  })
  const bodies = createBodyReader((await import(parts.bodies.href)) as BodyModule, parts.bodies.href)
  app.addHook('onClose', () => bodies.close())
  const authenticate = parts.authenticate ?? (async () => anonymous)
  await addOperations(app, { ...parts, authenticate, bodies })
  refuseOthers()
  return app
}

/**
 * Requests get 503 while the process can't keep up; whether it is alive and how it is doing can always be
 * asked.
 */
async function addBackPressure(app: FastifyInstance, maxEventLoopDelay: number) {
  await app.register(underPressure, {
    maxEventLoopDelay,
    pressureHandler: ({ url }, _reply, _kind, delayMs) => refuseUnderPressure(url, delayMs),
  })
}

/**
 * @param delayMs the mean delay of the last second. Infinity means a second without measurements, as after
 * a pause of the whole process, which says nothing about its current load.
 */
export function refuseUnderPressure(url: string, delayMs: number | undefined): void {
  if (delayMs === Infinity || /^\/(health|metrics)/.test(url)) return
  throw new ProblemError('unavailable', 'the service is overloaded; try again in a moment')
}
