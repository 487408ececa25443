/** Context of the routes: each part comes in by name, so that tests and worlds bring their own. */
import type { FastifyInstance } from 'fastify'
import { type Fresh, parseDocument } from './document/parse.ts'
import { jsonText } from './document/text.ts'
import { type Doc, DocumentError } from './document/value.ts'
import { Refusal } from './errors.ts'
import type { Session, Store } from './store.ts'

export interface Events {
  /** Data are about to be stored; may throw a Refusal. */
  stores?(data: Doc, characters: number): void
  /** A session was stored, and its id is given out. */
  added?(id: string): void
  updated?(id: string): void
  removed?(session: Session): void
  /** The database failed, or the service did: what the client got is no answer of the service's rules. */
  failed?(error: Error): void
}

export interface Limits {
  /** The largest body, in bytes. */
  bodyBytes: number
  /** How long the database may take for a query, in milliseconds. */
  queryMs: number
  /** How much a filter may hold, see `toQuery`. */
  filterWeight: number
}
export const defaultLimits: Limits = { bodyBytes: 1_048_576, queryMs: 2000, filterWeight: 10_000 }

/** Limits of a query. */
export interface QueryBounds {
  ms: number
  filterWeight: number
  /** Ends it in the database, too. */
  signal?: AbortSignal
}

export interface Context extends Fresh {
  store: Store
  events: Events
  queryBounds: () => QueryBounds
  /** The answer of GET /info. */
  version: string
}
export type Route = (app: FastifyInstance, context: Context) => void

/** The text of a body. A missing, empty or form body is refused. */
export function bodyText(body: unknown): string {
  if (!(body instanceof Buffer) || body.length === 0)
    throw new Refusal(400, 'the body is missing: send the document as JSON')
  return body.toString('utf8')
}

/** The document of a body; its errors as refusals. */
export function documentOf(text: string, fresh: Fresh): Doc {
  try {
    return parseDocument(text, fresh)
  } catch (error) {
    if (error instanceof DocumentError) throw new Refusal(error.status, error.message)
    throw error
  }
}

/** Upstream's form and order of a session. */
export const sessionJson = ({ id, data, source, type }: Session) =>
  `{"id":"${id}","data":${jsonText(data)},"source":${jsonText(source)},"type":"${type}"}`
export const sessionsJson = (sessions: readonly Session[]) => `[${sessions.map(sessionJson).join(',')}]`
