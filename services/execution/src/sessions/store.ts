/**
 * Stored tool sessions: how each began, and its log. Everything is an insert under a deterministic id, and
 * the first insert counts (docs/decisions/inserts.md): a position in the log is taken once, by any replica.
 */
import {
  type ExecutionEnding,
  type ExecutionLimits,
  type LoggedToolCall,
  type OpenToolSession,
  type PayloadParts,
  type JobPayload,
  sha256,
} from '@stateeval/contracts'
import { type ProjectArtifacts, insertTogether, type MongoStore, removeRange } from '@stateeval/service-kit'

export interface StoredSession {
  _id: string
  world: string
  input: OpenToolSession['input']
  /** Complete: defaults may change while a session is open. */
  limits: ExecutionLimits
  seed: string
  createdAt: Date
  /** Hash of the request, to tell whether the same id means the same session. */
  fingerprint: string
  /** The evaluation, build or episode whose job opened it. */
  owner?: string
  /** The input’s variables as the world shows them, where it does not show them as they are. */
  shown?: Readonly<Record<string, unknown>>
}

/** How a session ended: its last entry. `ended`: by itself, by a timeout, or by an internal failure. */
export type SessionEnd = { kind: 'closed'; result: PayloadParts } | { kind: 'ended'; ending: ExecutionEnding }
export type LogEntry = Omit<LoggedToolCall, 'index'> | { end: SessionEnd }

export interface SessionStore {
  /** Stores a session. If one of this id exists already, stores nothing and gives that one. */
  create(session: StoredSession): Promise<StoredSession | null>
  find(id: string): Promise<StoredSession | null>
  /** Stores an entry unless the log has one there, and gives the one that counts. */
  append(id: string, index: number, entry: LogEntry): Promise<LogEntry>
  /** null behind the end of the log. */
  entry(id: string, index: number): Promise<LogEntry | null>
}

/** JSON text of a payload: large ones are artifacts. */
interface TextDocument {
  _id: string
  text: string
}
interface SessionDocument extends TextDocument {
  createdAt: Date
  owner?: string
}
/** Sessions by owner (`<owner>:<session>`): evaluation removes what an owner's end leaves. */
const formatSessionMark = ({ _id, owner = '' }: { _id: string; owner?: string }) => `${owner}:${_id}`

export function openSessionStore(mongo: MongoStore, artifacts: ProjectArtifacts): SessionStore {
  const sessions = mongo.collection<SessionDocument>('tool-sessions')
  const entries = mongo.collection<TextDocument>('tool-session-log')
  const insertSession = insertTogether(sessions)
  const insertMark = insertTogether(mongo.collection<{ _id: string }>('tool-session-owners'))
  const insertEntry = insertTogether(entries)
  const textOf = async (value: unknown) => (await artifacts.pack(value)).text
  const read = async (document: TextDocument | null) =>
    document && (await artifacts.unpack(JSON.parse(document.text) as JobPayload))
  const find = async (id: string) => {
    const session = (await read(await sessions.findOne({ _id: id }))) as StoredSession | null
    return session && { ...session, createdAt: new Date(session.createdAt) }
  }
  const entry = async (id: string, index: number) =>
    (await read(await entries.findOne({ _id: `${id}:${index}` }))) as LogEntry | null
  return {
    find,
    entry,
    async create(session) {
      const { _id, createdAt, owner } = session
      const owned = owner !== undefined && { owner }
      // Before the session: none is left without its mark.
      if (owned) await insertMark({ _id: formatSessionMark(session) })
      const first = await insertSession({
        _id,
        text: await textOf(session),
        createdAt,
        ...owned,
      })
      return first ? null : find(session._id)
    },
    async append(id, index, newEntry) {
      const first = await insertEntry({
        _id: `${id}:${index}`,
        text: await textOf(newEntry),
      })
      return first ? newEntry : ((await entry(id, index)) ?? newEntry)
    },
  }
}

/** The prefix of the ids of sessions, both over HTTP and of jobs. */
export const sessionPrefix = 'ses'

/** Removes the current project's sessions that were opened before that time; returns their number. */
export async function expireSessions(mongo: MongoStore, before: Date, signal: AbortSignal): Promise<number> {
  const sessions = mongo.collection<SessionDocument>('tool-sessions')
  const entries = mongo.collection('tool-session-log')
  const marks = mongo.collection('tool-session-owners')
  const opened = {
    _id: { $gte: `${sessionPrefix}_`, $lt: `${sessionPrefix}\`` },
    createdAt: { $lt: before },
  }
  let removed = 0
  for await (const session of sessions.find(opened, {
    projection: { _id: 1, owner: 1 },
  })) {
    if (signal.aborted) break
    const { _id } = session
    // The session last: one that is cut short is found again.
    await removeRange(entries, `${_id}:`, `${_id};`)
    if (session.owner !== undefined) await marks.deleteOne({ _id: formatSessionMark(session) })
    await sessions.deleteOne({ _id })
    removed++
  }
  return removed
}

/**
 * The length of a log. It has no gaps, so the length is found by doubling and halving, beginning with
 * `from` known entries.
 */
export async function logLength(store: Pick<SessionStore, 'entry'>, id: string, from = 0): Promise<number> {
  let [count, step] = [from, 1]
  while ((await store.entry(id, count + step - 1)) !== null) {
    count += step
    step *= 2
  }
  // The entry at count + step - 1 is missing, those before `count` are there.
  let missing = count + step - 1
  while (count < missing) {
    const middle = Math.floor((count + missing) / 2)
    if ((await store.entry(id, middle)) === null) missing = middle
    else count = middle + 1
  }
  return count
}

export const computeRequestFingerprint = (request: OpenToolSession) => sha256(JSON.stringify(request))
