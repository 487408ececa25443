/** The type of a route's handler, derived from its operation: its input and its possible responses. */
import type { HttpOperation, HttpOperations } from '@stateeval/contracts'
import type { Static, TSchema } from 'typebox'
import type { CallerPrincipal } from '../access/principal.ts'
import type { DocumentInsertion } from '../insert-pairs.ts'
import type { ServiceLog } from '../log.ts'
import type { JsonText } from './json-text.ts'
import type { ComputedAnswer } from './body-works.ts'
import type { ServerEvent } from './sse.ts'

type OperationPart<O, Key extends string> = O extends { [K in Key]: infer S extends TSchema }
  ? Static<S>
  : undefined

interface HandlerRequest<O, Body> {
  params: OperationPart<O, 'params'>
  query: OperationPart<O, 'query'>
  body: Body
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The caller. Stores are limited to the project in any case: handlers need not look here for that. */
  principal: CallerPrincipal
  /** X-Request-Id, taken from the request or made here. */
  id: string
  /** The text that makes a retried creation the same one: from Idempotency-Key; undefined without it. */
  idempotencyKey: string | undefined
  /** Aborted when the caller is gone. */
  signal: AbortSignal
  log: ServiceLog
}

interface AnswerExtras {
  headers?: Record<string, string>
  /** Sent as ETag by an operation with `etag`, which answers 304 if the caller has it. */
  etag?: string
  /** One of the answer's `otherTypes`, in place of its own. */
  contentType?: string
  /** Stored together with the entry of the audit log, before the answer leaves. */
  stores?: DocumentInsertion
}
type BodyOf<S> = S extends { contentType: 'text/event-stream' }
  ? { events: AsyncIterable<ServerEvent> }
  : S extends { contentType: string }
    ? { body: string | Uint8Array | AsyncIterable<string | Uint8Array> }
    : S extends { schema: infer T extends TSchema }
      ? { body: Static<T> } | { json: JsonText }
      : { body?: undefined }
/** One of the operation's success answers. Errors are thrown as ProblemError. */
type HandlerAnswer<O extends HttpOperation> = {
  [K in keyof O['success']]: { status: K } & BodyOf<O['success'][K]> & AnswerExtras
}[keyof O['success']]

/** The body of an operation. */
export type OperationBody<O> = OperationPart<O, 'body'>

/** The body that a handler gets: as the service's work makes it, else the body itself. */
type MadeBody<O, Work> = Work extends { kind: 'reads'; make(body: never, isApart: boolean): infer Made }
  ? Awaited<Made>
  : Work extends { kind: 'computes'; make(body: never): infer Answer }
    ? ComputedAnswer<Awaited<Answer>>
    : OperationPart<O, 'body'>

/** `Work` is what is made of the operation's body, if anything. */
export type OperationHandler<O extends HttpOperation, Context, Work = undefined> = (
  request: HandlerRequest<O, MadeBody<O, Work>>,
  context: Context,
) => Promise<HandlerAnswer<O>>
/** The work of an operation. */
export type WorkOf<Works, Id> = Id extends keyof Works ? Works[Id] : undefined
export type OperationHandlers<T extends HttpOperations, Context, Works = unknown> = {
  [Id in keyof T]: OperationHandler<T[Id], Context, WorkOf<Works, Id>>
}

/**
 * The handler as the framework calls it. Types are checked where a service combines handlers with
 * operations.
 */
export interface AnyAnswer extends AnswerExtras {
  status: number
  body?: unknown
  json?: JsonText
  events?: AsyncIterable<ServerEvent>
}
export interface AnyHandlers<Context> {
  [id: string]: {
    bivariant(request: object, context: Context): Promise<AnyAnswer>
  }['bivariant']
}
