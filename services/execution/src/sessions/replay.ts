/**
 * Keeps a session's world and log in step: the world catches up with the log, and the log records the
 * world's replies.
 */
import { type ExecutionEnding, ProblemError, type ToolReply } from '@stateeval/contracts'
import { getCurrentSpan, genAi } from '@stateeval/service-kit'
import { type CalledTool, callTool, LateCall } from './call.ts'
import type { WorldReplica } from './open-worlds.ts'
import { type LogEntry, logLength, type SessionEnd, type SessionStore, type StoredSession } from './store.ts'

export interface ReplayParts {
  store: SessionStore
  /** Milliseconds; it never jumps. */
  clock: () => number
}

export const createConflict = (detail: string, field?: string) => new ProblemError('conflict', detail, field)

/** A replay gave different bytes than the log. */
export class OtherReply extends Error {
  override readonly name = 'OtherReply'
}

const isSameReply = (one: ToolReply, other: ToolReply) =>
  one.content === other.content && one.error === other.error
const createOtherReply = (index: number, { name }: CalledTool) =>
  new OtherReply(`call ${index} (${name.slice(0, 60)})`)

/** Throws a conflict if the log has another call at the index. */
export function requireSameCall(call: CalledTool, logged: CalledTool, index: number) {
  if (call.name !== logged.name || call.arguments !== logged.arguments)
    throw createConflict(
      `the log of this session has a different call at index ${index}: ${logged.name.slice(0, 60)}`,
      '/calls',
    )
}

/**
 * Repeats the log's calls that the world has not made, up to an index or the log's end. Returns the
 * session's end if it is reached. Throws a conflict if the log does not reach the index, or an OtherReply
 * if a replay differs.
 */
export async function replayMissingCalls(
  { store, clock }: ReplayParts,
  session: StoredSession,
  replica: WorldReplica,
  to = Infinity,
): Promise<SessionEnd | null> {
  while (replica.at < to) {
    const { at } = replica
    const entry = await store.entry(session._id, at)
    if (entry === null) {
      if (to === Infinity) return null
      throw createConflict(`the next call of this session has the index ${at}`, '/index')
    }
    if ('end' in entry) return entry.end
    const reply = await callTool(replica, session, entry, clock)
    if (!isSameReply(reply, entry.reply)) throw createOtherReply(at, entry)
  }
  return null
}

/**
 * Makes the next call in the world and appends it. Returns the entry that counts. Throws a LateCall if the
 * call takes too long; if it was late in another world as well (`wasLate`), the session ends instead.
 */
export async function appendCall(
  { store, clock }: ReplayParts,
  session: StoredSession,
  replica: WorldReplica,
  { name, arguments: text }: CalledTool,
  wasLate: boolean,
): Promise<LogEntry> {
  const { at } = replica
  const call = { name, arguments: text }
  let reply: ToolReply
  try {
    const from = performance.now()
    const told = (error?: string) => traceCall(session, call, performance.now() - from, error)
    reply = await callTool(replica, session, call, clock).catch((error: unknown) => {
      told(error instanceof LateCall ? 'timeout' : '_OTHER')
      throw error
    })
    told(reply.error === true ? 'tool_error' : undefined)
  } catch (error) {
    if (!(error instanceof LateCall) || !wasLate) throw error
    // The effects of this call on the world can't be replayed.
    const { wallMs } = session.limits
    const end = { kind: 'ended', ending: { status: 'timeout', limit: 'wall', afterMs: wallMs } } as const
    const counts = await store.append(session._id, at, { end })
    if ('end' in counts) return counts
    throw new ProblemError('unavailable', 'another replica answered this call first; try again')
  }
  const counts = await store.append(session._id, at, { ...call, reply })
  if ('end' in counts) return counts
  requireSameCall(call, counts, at)
  if (!isSameReply(counts.reply, reply)) throw createOtherReply(at, call)
  return counts
}

/** A span by the conventions for generative AI; replayed calls have none. */
function traceCall(
  { world }: StoredSession,
  { name }: CalledTool,
  ms: number,
  error: string | undefined,
): void {
  const subject = name.slice(0, 100)
  getCurrentSpan()?.part(
    'execute_tool',
    ms,
    {
      [genAi.operation]: 'execute_tool',
      [genAi.toolName]: subject,
      [genAi.toolType]: 'function',
      'stateeval.world': world,
      ...(error !== undefined && { [genAi.errorType]: error }),
    },
    { subject, error },
  )
}

/** Ends a session that cannot continue. Returns the end that counts. */
export async function endReplayedSession(
  { store }: ReplayParts,
  id: string,
  ending: ExecutionEnding,
): Promise<SessionEnd> {
  const end = { kind: 'ended', ending } as const
  for (let at = await logLength(store, id); ; at++) {
    const entry = await store.append(id, at, { end })
    if ('end' in entry) return entry.end
  }
}
