/**
 * A typed client of any service, derived from its table of operations: one method per operation, with the
 * same name and the types of the server's schemas.
 */
import type { HttpOperation, HttpOperations, Problem } from '@stateeval/contracts'
import type { Static, TSchema } from 'typebox'
import { readPieces } from './pieces.ts'

type OperationPart<Key extends string, Schema> = Schema extends TSchema
  ? { [K in Key]: Static<Schema> }
  : unknown
type OptionalQuery<T> = T extends { query: infer Q }
  ? Record<never, never> extends Q
    ? Omit<T, 'query'> & { query?: Q }
    : T
  : T
/** Arguments of an operation. A query whose members are all optional may be left out. */
type RequestOf<O extends HttpOperation> = OptionalQuery<
  OperationPart<'params', O['params']> & OperationPart<'query', O['query']> & OperationPart<'body', O['body']>
> & {
  signal?: AbortSignal
  headers?: Record<string, string>
}
type SchemaOf<S> = S extends { schema: infer T } ? (T extends TSchema ? Static<T> : undefined) : never
type SuccessOf<O extends HttpOperation> = {
  [K in keyof O['success']]: SchemaOf<O['success'][K]>
}[keyof O['success']]
type OperationArguments<O extends HttpOperation> =
  Record<never, never> extends RequestOf<O> ? [request?: RequestOf<O>] : [request: RequestOf<O>]
export type OperationClient<T extends HttpOperations> = {
  [Id in keyof T]: (...args: OperationArguments<T[Id]>) => Promise<SuccessOf<T[Id]>>
}

interface ClientOptions {
  /** Address of the service, such as http://127.0.0.1:7400. */
  baseUrl: string
  /** Sent with every request. */
  headers?: Record<string, string>
  fetch?: typeof globalThis.fetch
}

/** The service answered with an error. `problem` has the faulty field and the remedy. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.field ? `${problem.detail} (${problem.field})` : problem.detail)
    this.problem = problem
  }
}

/** The service is unreachable, or the connection ended before its response was complete. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  constructor(
    baseUrl: string,
    cause: unknown,
    says = `nothing answers at ${baseUrl}; start the suite with: npx stateeval up`,
  ) {
    super(says, { cause })
  }
}

interface LooseRequest {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
  headers?: Record<string, string>
}

/** The URL of an operation: path parameters are escaped, undefined query values left out. */
function buildUrl(
  baseUrl: string,
  operation: HttpOperation,
  { params = {}, query = {} }: LooseRequest,
): string {
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.append(name, String(value))
  return `${baseUrl.replace(/\/$/, '')}${path}${search.size > 0 ? `?${search.toString()}` : ''}`
}

async function send(
  options: ClientOptions,
  operation: HttpOperation,
  request: LooseRequest,
): Promise<Response> {
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json, */*;q=0.5',
    ...options.headers,
    ...request.headers,
  }
  const init: RequestInit = { method: operation.method, headers }
  if (request.body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(request.body)
  }
  if (request.signal) init.signal = request.signal
  try {
    return await (options.fetch ?? fetch)(buildUrl(options.baseUrl, operation, request), init)
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw new UnreachableError(options.baseUrl, error)
  }
}

/**
 * How often reading is tried again where a service is busy or one of its servers away, and the longest pause
 * before it.
 */
const busyTries = 5
const longestPauseMs = 5000

/** Waits by timers that browsers have, too. Rejects with the signal's reason if that comes first. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => reject(signal?.reason as Error)
  const timer = setTimeout(resolve, ms)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}

/**
 * Sends again what changes nothing, or nothing twice, as long as the service says that it may be tried later.
 */
async function sendPatiently(
  options: ClientOptions,
  operation: HttpOperation,
  request: LooseRequest,
): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const response = await send(options, operation, request)
    const after = response.headers.get('retry-after')
    const seconds = Number(after ?? NaN)
    // A request that was refused for a limit had no effect, so it may be sent again; people want to know if
    // that takes longer.
    const mayRepeat =
      response.status === 429
        ? seconds * 1000 <= longestPauseMs
        : response.status === 503 && after !== null && operation.method !== 'POST'
    if (!mayRepeat || tries === busyTries) return response
    await response.body?.cancel()
    await pause(Math.min(Number.isFinite(seconds) ? seconds * 1000 : 1000, longestPauseMs), request.signal)
  }
}

/** Statuses of a service that stops, starts, is overloaded or has a full disk, or of a proxy in its place. */
export const awayStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504, 507])

/** @param broken what an answer that breaks off is rejected with */
async function read(response: Response, broken: (cause: unknown) => unknown): Promise<unknown> {
  const whole = <T>(body: Promise<T>): Promise<T> =>
    body.catch((cause: unknown) => {
      throw broken(cause)
    })
  // Not application/jsonl, which is many values.
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && type.startsWith('application/octet-stream'))
    return new Uint8Array(await whole(response.arrayBuffer()))
  const isJson = /^application\/([\w.-]+\+)?json(;|$)/.test(type)
  const text = await whole(response.text())
  if (response.ok) return text === '' ? undefined : isJson ? (JSON.parse(text) as unknown) : text
  const problem = isJson ? (JSON.parse(text) as Problem | null) : null
  // While the service is away, a proxy may answer with its own JSON.
  if (problem && (typeof problem.status === 'number' || !awayStatuses.has(response.status)))
    throw new ServiceError(problem)
  throw new ServiceError({
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail: text.slice(0, 500) || `HTTP ${response.status}`,
  })
}

/**
 * The bytes of an operation's response as they arrive, for large responses. Rejects like the client's
 * methods; iterating rejects with UnreachableError if the response is incomplete.
 */
export async function openStream(
  operation: HttpOperation,
  options: ClientOptions,
  request: LooseRequest,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await sendPatiently(options, operation, request)
  const broken = (cause: unknown) =>
    request.signal?.aborted
      ? cause
      : new UnreachableError(options.baseUrl, cause, createBrokenOffError(options))
  if (!response.ok) await read(response, broken)
  async function* pieces() {
    try {
      if (response.body) yield* readPieces(response.body)
    } catch (error) {
      throw broken(error)
    }
  }
  return pieces()
}

const createBrokenOffError = ({ baseUrl }: ClientOptions) =>
  `the answer of ${baseUrl} was cut off; try again, and if this happens each time, see the log of the service`

/**
 * Makes a client from a table of operations.
 * Methods resolve with the success body (bytes for application/octet-stream, text for other types than JSON,
 * undefined for an empty one) and reject with ServiceError for a problem answer, UnreachableError where
 * nothing answers. A busy service (503 with Retry-After) is asked again a few times, but never for what a
 * POST might do twice; so is one that refuses for a limit of the project (429) which is over within seconds.
 */
export function createClient<const T extends HttpOperations>(
  operations: T,
  options: ClientOptions,
): OperationClient<T> {
  const call =
    (operation: HttpOperation) =>
    async (request: LooseRequest = {}) => {
      const response = await sendPatiently(options, operation, request)
      const broken = (cause: unknown) =>
        request.signal?.aborted
          ? cause
          : new UnreachableError(options.baseUrl, cause, createBrokenOffError(options))
      return read(response, broken)
    }
  // Object.entries loses which operation has which id, so the compiler cannot relate a method to its
  // operation.
  return Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => [id, call(operation)]),
  ) as unknown as OperationClient<T>
}
