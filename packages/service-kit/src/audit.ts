/**
 * The audit log: who did what, when, from where, and how it ended, for every operation that may change
 * something, and for downloads of backups, refused ones too. Entries are inserted and never changed. They
 * hold neither bodies nor headers nor queries, so no secret gets into them. An entry belongs to its caller's
 * project; one of somebody who was not let in to the default one, whose administrators operate the
 * installation. While the store is away or full, entries wait in memory, as the log may be on the same disk.
 */
import { type AuditEntry, type AuditFilter, defaultProject, problems } from '@stateeval/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { runInProject } from './access/project.ts'
import { getCallerAddress } from './http/proxies.ts'
import { insertPairs, type DocumentInsertion } from './insert-pairs.ts'
import { insertTogether } from './insert-together.ts'
import type { ServiceLog } from './log.ts'
import type { ServiceMetrics } from './metrics.ts'
import type { MongoStore } from './mongo.ts'
import { drawRandomHex } from './random.ts'
import { removeRange } from './removal.ts'
import { withoutKeys } from './secrets.ts'

interface StoredEntry extends Omit<AuditEntry, 'id' | 'at'> {
  _id: string
  at: Date
}
type NewAuditEntry = Omit<AuditEntry, 'id' | 'at' | 'service'>
export interface AuditLog {
  /**
   * Stores the entry. If that fails now, it waits and is stored later; the promise rejects with the reason.
   */
  note(entry: NewAuditEntry): Promise<void>
  /**
   * Stores a document and then the entry, with one command where the server has one. Rejects where the
   * document isn't stored; gives what kept the entry from being stored.
   */
  noteWith(document: DocumentInsertion, entry: NewAuditEntry): Promise<{ problem?: unknown }>
  /** Tries once more to store what waits. */
  close(): Promise<void>
  /** Removes the current project's entries of before that time. */
  removeBefore(at: Date): Promise<void>
  /** Lists entries of the current project, the oldest first, after the cursor. */
  page(filter: AuditFilter, cursor: string | undefined, limit: number): Promise<AuditEntry[]>
}

/** Ids sort by time; two of one millisecond differ in what is drawn. */
const formatAuditTime = (at: Date) => at.getTime().toString(36).padStart(9, '0')

/** Entries that wait at most, and milliseconds until they are tried again. */
const mostWaiting = 10_000
const againMs = 2000

export function openAudit(
  mongo: Pick<MongoStore, 'shared' | 'insertAcross'>,
  service: string,
  now: () => Date,
  { auditWaiting, auditLost }: Pick<ServiceMetrics, 'auditWaiting' | 'auditLost'>,
): AuditLog {
  const entries = mongo.shared<StoredEntry>('audit')
  const insert = insertTogether(entries)
  const insertPair = insertPairs(mongo)
  const stored = (entry: NewAuditEntry): StoredEntry => {
    const at = now()
    return { _id: `${formatAuditTime(at)}${drawRandomHex(6)}`, at, service, ...entry }
  }
  const waiting: StoredEntry[] = []
  let timer: NodeJS.Timeout | undefined
  const storeWaiting = async () => {
    timer = undefined
    try {
      for (let first = waiting[0]; first; first = waiting[0]) {
        const document = first
        await runInProject(document.project, () => insert(document))
        waiting.shift()
      }
    } catch {
      storeLater()
    }
    auditWaiting.set(waiting.length)
  }
  const storeLater = () => void (timer ??= setTimeout(() => void storeWaiting(), againMs).unref())
  const keep = (document: StoredEntry) => {
    if (waiting.length >= mostWaiting) return auditLost.inc()
    waiting.push(document)
    auditWaiting.set(waiting.length)
    storeLater()
  }
  return {
    async note(entry) {
      const document = stored(entry)
      try {
        await insert(document)
      } catch (error) {
        keep(document)
        throw error
      }
    },
    async noteWith(document, entry) {
      const second = stored(entry)
      const result = await insertPair(document, { collection: entries, document: second })
      if (result.problem !== undefined) keep(second)
      return result
    },
    async close() {
      clearTimeout(timer)
      if (waiting.length > 0) await storeWaiting()
      clearTimeout(timer)
    },
    async removeBefore(at) {
      await removeRange(mongo.shared('audit'), '', formatAuditTime(at))
    },
    async page({ since, until, ...equal }, cursor, limit) {
      const from = since === undefined ? '' : formatAuditTime(new Date(since))
      const range = {
        ...(cursor !== undefined && cursor >= from ? { $gt: cursor } : { $gte: from }),
        ...(until !== undefined && { $lt: formatAuditTime(new Date(until)) }),
      }
      const records = await entries
        .find({ _id: range, ...equal })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray()
      return records.map(({ _id: id, at, ...entry }) => ({ id, at: at.toISOString(), ...entry }))
    },
  }
}

/** Several problems have the same status. */
const readProblemCode = (payload: unknown) =>
  typeof payload === 'string' ? /"type":"urn:stateeval:problem:([a-z-]+)"/.exec(payload)?.[1] : undefined
const findProblemCode = (status: number) =>
  Object.entries(problems).find(([, problem]) => problem.status === status)?.[0] ?? 'unknown'

/**
 * A hook of a route that changes something: its entry is stored before the response is sent. If the store
 * is unavailable, the response is sent anyway, because the work is done. The entry then goes to the log, and
 * is stored later.
 */
export function createAuditHook(operation: string, tools: () => { audit: AuditLog; log: ServiceLog }) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const { statusCode: status } = reply
    if (noted.get(request) === status) return payload
    const entry = buildAuditEntry(operation, request, {
      status,
      location: reply.getHeader('location'),
      payload,
    })
    const { audit, log } = tools()
    await runInProject(entry.project, () => audit.note(entry)).catch((error: unknown) =>
      log.error({ err: error, audit: entry }, notStored),
    )
    return payload
  }
}

const notStored = 'an entry of the audit log is not stored yet'
/** Requests whose entry is stored already, with its status. */
const noted = new WeakMap<FastifyRequest, number>()

/** Stores what an answer says is to be stored, together with the entry of its request. */
export async function storeAudited(
  operation: string,
  document: DocumentInsertion,
  request: FastifyRequest,
  ending: { status: number; location?: string },
  { audit, log }: { audit: AuditLog; log: ServiceLog },
): Promise<void> {
  const entry = buildAuditEntry(operation, request, ending)
  const { problem } = await audit.noteWith(document, entry)
  noted.set(request, ending.status)
  if (problem !== undefined) log.error({ err: problem, audit: entry }, notStored)
}

function buildAuditEntry(
  operation: string,
  request: FastifyRequest,
  { status, location, payload }: { status: number; location?: unknown; payload?: unknown },
): NewAuditEntry {
  const { principal, method, routeOptions, params, id } = request
  return {
    operation,
    method,
    route: routeOptions.url ?? '',
    params: Object.fromEntries(
      Object.entries((params ?? {}) as Record<string, unknown>).map(([name, value]) => [
        name,
        // A key may stand where its id belongs.
        withoutKeys(String(value)).slice(0, 200),
      ]),
    ),
    subject: principal?.subject ?? 'unknown',
    project: principal?.project ?? defaultProject,
    from: getCallerAddress(request),
    request: id,
    status,
    outcome: status < 400 ? 'done' : status < 500 ? 'refused' : 'failed',
    ...(status >= 400 && { problem: readProblemCode(payload) ?? findProblemCode(status) }),
    ...(typeof location === 'string' && { made: location }),
  }
}
