/** Context of the routes: parts come in by name, so that tests and worlds bring their own. */
import type { FastifyInstance } from 'fastify'
import { type FreshValues, parseDocument } from './document/parse.ts'
import { formatValueJson } from './document/text.ts'
import { type BsonDocument, DocumentError } from './document/value.ts'
import { RequestRefusal } from './errors.ts'
import type { FilterBounds } from './filter/filter.ts'
import type { StoredSession, SessionStore } from './store.ts'

export interface StoreEvents {
  /** Data are about to be stored; may throw a Refusal. */
  stores?(data: BsonDocument, characters: number): void
  /** A session was stored, and its id is given out. */
  added?(id: string): void
  updated?(id: string): void
  removed?(session: StoredSession): void
  /** The database failed, or the service did: what the client got is no answer of the service's rules. */
  failed?(error: Error): void
}

export interface RequestLimits {
  /** The largest body, in bytes. */
  bodyBytes: number
  /** How long the database may take for a query, in milliseconds. */
  queryMs: number
  filter: FilterBounds
}
export const defaultLimits: RequestLimits = {
  bodyBytes: 1_048_576,
  queryMs: 2000,
  filter: { weight: 100_000, backtracking: 10_000 },
}

/** Limits of a query. */
export interface QueryBounds {
  ms: number
  filter: FilterBounds
  /** Ends it in the database, too. */
  signal?: AbortSignal
}

export interface BackendContext extends FreshValues {
  store: SessionStore
  events: StoreEvents
  queryBounds: () => QueryBounds
  /** The answer of GET /info. */
  version: string
}
export type RouteInstaller = (app: FastifyInstance, context: BackendContext) => void

/** The text of a body. A missing, empty or form body is refused. */
export function readBodyText(body: unknown): string {
  if (!(body instanceof Buffer) || body.length === 0)
    throw new RequestRefusal(400, 'the body is missing: send the document as JSON')
  return body.toString('utf8')
}

/** The document of a body; its errors as refusals. */
export function parseBodyDocument(text: string, fresh: FreshValues): BsonDocument {
  try {
    return parseDocument(text, fresh)
  } catch (error) {
    if (error instanceof DocumentError) throw new RequestRefusal(error.status, error.message)
    throw error
  }
}

/** Upstream's form and order of a session. */
export const formatSession = ({ id, data, source, type }: StoredSession) =>
  `{"id":"${id}","data":${formatValueJson(data)},"source":${formatValueJson(source)},"type":"${type}"}`
export const formatSessions = (sessions: readonly StoredSession[]) =>
  `[${sessions.map(formatSession).join(',')}]`
