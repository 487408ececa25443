/** Routes from operations: validation, handler, response. */
import {
  isCreating,
  type HttpAnswer,
  type HttpOperation,
  type HttpOperations,
  isAudited,
  ProblemError,
} from '@stateeval/contracts'
import { Readable, Transform } from 'node:stream'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RequestPayload,
  RouteHandlerMethod,
} from 'fastify'
import type { TSchema } from 'typebox'
import type { RequestAuthenticator } from '../access/authenticate.ts'
import { checkScope, type CallerPrincipal } from '../access/principal.ts'
import { runInProject, keepProject } from '../access/project.ts'
import { createAuditHook, storeAudited } from '../audit.ts'
import { CallerLeft } from '../errors.ts'
import { createTooLargeError } from '../limits/quota.ts'
import type { ServiceLog } from '../log.ts'
import type { ServicePlatform } from '../platform.ts'
import { createChecker, convertFromText } from '../validation.ts'
import { createAcceptHook } from './acceptable.ts'
import type { AnyAnswer, AnyHandlers } from './handler.ts'
import { createOnce } from './idempotency.ts'
import { addJsonBodies, getMaxParts } from './json-body.ts'
import { joinPieces } from './json-text.ts'
import type { BodyReader } from './read-body.ts'
import { sendEvents } from './sse.ts'

interface RouteParts<Context> {
  operations: HttpOperations
  handlers: AnyHandlers<Context>
  platform: ServicePlatform
  context: Context
  authenticate: RequestAuthenticator
  bodies: BodyReader
}

export async function addOperations<Context>(
  app: FastifyInstance,
  { operations, handlers, platform, context, authenticate, bodies }: RouteParts<Context>,
): Promise<void> {
  const add = (scope: FastifyInstance, isAdded: (operation: HttpOperation) => boolean) => {
    for (const [id, operation] of Object.entries(operations)) {
      if (!isAdded(operation)) continue
      const handle = handlers[id]
      if (!handle) throw new Error(`operation ${id} has no handler: add src/routes/${id}.ts and list it`)
      const { method, path, bodyLimit, success } = operation
      const endless = Object.values(success).some(({ contentType }) => contentType === 'text/event-stream')
      const handler = createRoute(id, operation, { handle, platform, context, bodies })
      scope.route({
        method,
        url: path,
        ...(bodyLimit && { bodyLimit }),
        config: { maxParts: getMaxParts(operation), ...(endless && { endless }) },
        onRequest: [admitRequest(operation, authenticate, platform), createAcceptHook(operation)],
        ...(operation.body && { preParsing: boundBody(platform) }),
        ...(isAudited(operation) && { onSend: createAuditHook(id, () => platform) }),
        handler,
      })
    }
  }
  await app.register(async (scope) => {
    addJsonBodies(scope)
    add(scope, ({ body }) => body !== undefined)
  })
  // An operation without a body reads none, whatever the headers say about one.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    add(scope, ({ body }) => body === undefined)
  })
}

/** Identifies the caller and checks its scope and limits, before any other part of the request is read. */
function admitRequest(
  operation: HttpOperation,
  authenticate: RequestAuthenticator,
  { quota }: Pick<ServicePlatform, 'quota'>,
) {
  return async (request: FastifyRequest) => {
    const principal = await authenticate(request)
    request.principal = principal
    checkScope(principal, operation)
    const waiting = runInProject(principal.project, () => quota.admit(request.headers))
    if (waiting) await waiting
  }
}

/** Counts a body of unknown length while it arrives. */
function boundBody({ quota }: Pick<ServicePlatform, 'quota'>) {
  return async (request: FastifyRequest, _reply: FastifyReply, payload: RequestPayload) => {
    const { principal, headers } = request
    if (!principal || headers['content-length'] !== undefined) return payload
    const most = await runInProject(principal.project, () => quota.largestBody())
    if (most === undefined) return payload
    let bytes = 0
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        if (bytes > most) done(quota.refusal('request_size', createTooLargeError(most)))
        else done(null, chunk)
      },
    })
    return payload.pipe(counted)
  }
}

type RequestHandler<Context> = (request: object, context: Context) => Promise<AnyAnswer>

function createRoute<Context>(
  id: string,
  operation: HttpOperation,
  {
    handle,
    platform,
    context,
    bodies,
  }: Pick<RouteParts<Context>, 'platform' | 'context' | 'bodies'> & { handle: RequestHandler<Context> },
): RouteHandlerMethod {
  const takesKey = isCreating(operation)
  return (request, reply) => {
    const { principal } = request
    if (!principal) throw new Error(`${id} was reached without a caller`)
    return runInProject(principal.project, () => serve(principal, request, reply))
  }

  async function serve(principal: CallerPrincipal, request: FastifyRequest, reply: FastifyReply) {
    const callerAbort = new AbortController()
    // A request closes as soon as its body is read; that the caller has gone shows on the response alone, if
    // it isn’t written.
    reply.raw.once('close', () => reply.raw.writableFinished || callerAbort.abort(new CallerLeft()))
    const params = convertTextPart(operation.params, request.params)
    const query = convertTextPart(operation.query, request.query)
    const key = takesKey || operation.secret ? readIdempotencyKey(request) : undefined
    if (key !== undefined && operation.secret)
      throw new ProblemError(
        'validation-failed',
        'this route does not support an Idempotency-Key; leave it out',
        'Idempotency-Key',
      )
    const { value: body, identity } = await bodies.read(id, request.body, {
      signal: callerAbort.signal,
      isIdentified: key !== undefined,
    })
    const handlerRequest = {
      params,
      query,
      body,
      headers: request.headers,
      principal,
      id: request.id,
      signal: callerAbort.signal,
      log: request.log as ServiceLog,
    }
    const run = async (idempotencyKey?: string) => {
      if (operation.work) await platform.quota.requireBudget()
      return handle({ ...handlerRequest, idempotencyKey }, context)
    }
    const answer = key
      ? await createOnce(platform, { key, operation: id, request: { params, query, body: identity } }, run)
      : await run()
    if (answer.stores) {
      const { location } = answer.headers ?? {}
      const ending = { status: answer.status, ...(location !== undefined && { location }) }
      await storeAudited(id, answer.stores, request, ending, platform)
    }
    return sendAnswer(operation, answer, request, reply)
  }
}

/** A part of the request's line as its schema wants it, or the problem with it. */
function convertTextPart(schema: TSchema | undefined, texts: unknown): unknown {
  if (!schema) return undefined
  const { complete, fault } = createChecker(schema)
  const completedValue = complete(convertFromText(schema, texts as Record<string, unknown>))
  const schemaFault = fault(completedValue)
  if (!schemaFault) return completedValue
  // Values are known by their names, places in a body by a JSON pointer.
  const field = schemaFault.field.replace(/^\//, '')
  throw new ProblemError('validation-failed', `${field || 'the body'} ${schemaFault.says}`, field)
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[!-~]{1,200}$/.test(key)) {
    throw new ProblemError(
      'validation-failed',
      'Idempotency-Key must have 1 to 200 visible ASCII characters',
      'Idempotency-Key',
    )
  }
  return key
}

const cacheControl = { immutable: 'private, max-age=31536000, immutable', revalidated: 'no-cache' } as const

/**
 * A caller who stops reading holds what a stream has read for it: the connection is closed after a while. One
 * that waits for us is not.
 */
function closeWhenStalled(raw: FastifyReply['raw']) {
  raw.setTimeout(stalledMs, () => {
    if (raw.writableLength > 0) raw.destroy()
  })
}

function chooseAnswerType(
  { contentType = jsonType, otherTypes = [] }: HttpAnswer,
  answer: AnyAnswer,
): string {
  const type = answer.contentType ?? contentType
  if (type !== contentType && !otherTypes.includes(type)) throw new Error(`${type} is not declared`)
  return type
}

const isStreamed = (body: unknown): body is AsyncIterable<string | Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

const jsonType = 'application/json; charset=utf-8'
/** How long a caller may take nothing of a streamed answer, in milliseconds. */
const stalledMs = 60_000

async function sendAnswer(
  operation: HttpOperation,
  answer: AnyAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const declaredAnswer = operation.success[answer.status as 200]
  if (!declaredAnswer) throw new Error(`status ${answer.status} is not declared`)
  reply.code(answer.status).headers(answer.headers ?? {})
  if (operation.secret) reply.header('cache-control', 'no-store')
  if (answer.etag !== undefined) {
    if (!operation.etag) throw new Error('an ETag is not declared')
    const etag = `"${answer.etag}"`
    reply.header('etag', etag).header('cache-control', cacheControl[operation.etag])
    const tags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    if (tags?.some((tag) => tag === etag || tag === '*')) return reply.code(304).send()
  }
  if (answer.events) {
    if (request.method === 'HEAD') return reply.type('text/event-stream').send()
    await sendEvents(reply, keepProject(answer.events), { 'x-request-id': request.id })
    return reply
  }
  if (!declaredAnswer.schema) return reply.send()
  const pieces = isStreamed(answer.body) ? keepProject(answer.body) : null
  if (answer.json || pieces) closeWhenStalled(reply.raw)
  if (declaredAnswer.contentType && !/json$/.test(declaredAnswer.contentType))
    return reply
      .type(chooseAnswerType(declaredAnswer, answer))
      .send(pieces ? Readable.from(pieces) : answer.body)
  if (answer.json)
    return reply
      .type(declaredAnswer.contentType ?? jsonType)
      .send(Readable.from(joinPieces(keepProject(answer.json)), { objectMode: true }))
  // The contract holds in both directions: a body that it does not know is a bug of ours and never leaves.
  const text = JSON.stringify(answer.body)
  const breach = createChecker(declaredAnswer.schema).fault(JSON.parse(text))
  if (breach) throw new Error(`the answer breaks its contract: ${breach.field || 'the body'} ${breach.says}`)
  return reply
    .type(declaredAnswer.contentType ?? jsonType)
    .serializer((body: string) => body)
    .send(text)
}
