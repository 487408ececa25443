/**
 * Keeps a session's world and log in step: the world catches up with the log, and the log records the
 * world's replies.
 */
import { type ExecutionEnding, ProblemError, type ToolReply } from '@stateeval/contracts'
import { currentSpan, genAi } from '@stateeval/service-kit'
import { type CalledTool, callIn, LateCall } from './call.ts'
import type { WorldReplica } from './open-worlds.ts'
import { type LogEntry, logLength, type SessionEnd, type SessionStore, type StoredSession } from './store.ts'

export interface ReplayParts {
  store: SessionStore
  /** Milliseconds; it never jumps. */
  clock: () => number
}

export const conflict = (detail: string, field?: string) => new ProblemError('conflict', detail, field)

/** A replay gave different bytes than the log. */
export class OtherReply extends Error {
  override readonly name = 'OtherReply'
}

const sameReply = (one: ToolReply, other: ToolReply) =>
  one.content === other.content && one.error === other.error
const otherReply = (index: number, { name }: CalledTool) =>
  new OtherReply(`call ${index} (${name.slice(0, 60)})`)

/** Throws a conflict if the log has another call at the index. */
export function mustBe(call: CalledTool, logged: CalledTool, index: number) {
  if (call.name !== logged.name || call.arguments !== logged.arguments)
    throw conflict(
      `the log of this session has a different call at index ${index}: ${logged.name.slice(0, 60)}`,
      '/calls',
    )
}

/**
 * Repeats the log's calls that the world has not made, up to an index or the log's end. Returns the
 * session's end if it is reached. Throws a conflict if the log does not reach the index, or an OtherReply
 * if a replay differs.
 */
export async function catchUp(
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
      throw conflict(`the next call of this session has the index ${at}`, '/index')
    }
    if ('end' in entry) return entry.end
    const reply = await callIn(replica, session, entry, clock)
    if (!sameReply(reply, entry.reply)) throw otherReply(at, entry)
  }
  return null
}

/**
 * Makes the next call in the world and appends it. Returns the entry that counts. Throws a LateCall if the
 * call takes too long; if it was late in another world as well (`wasLate`), the session ends instead.
 */
export async function append(
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
    const told = (error?: string) => tellCall(session, call, performance.now() - from, error)
    reply = await callIn(replica, session, call, clock).catch((error: unknown) => {
      told(error instanceof LateCall ? 'timeout' : '_OTHER')
      throw error
    })
    told(reply.error === true ? 'tool_error' : undefined)
  } catch (error) {
    if (!(error instanceof LateCall) || !wasLate) throw error
    // Its effects on the world can’t be replayed.
    const { wallMs } = session.limits
    const end = { kind: 'ended', ending: { status: 'timeout', limit: 'wall', afterMs: wallMs } } as const
    const counts = await store.append(session._id, at, { end })
    if ('end' in counts) return counts
    throw new ProblemError('unavailable', 'another replica answered this call first; try again')
  }
  const counts = await store.append(session._id, at, { ...call, reply })
  if ('end' in counts) return counts
  mustBe(call, counts, at)
  if (!sameReply(counts.reply, reply)) throw otherReply(at, call)
  return counts
}

/** A span by the conventions for generative AI; replayed calls have none. */
function tellCall(
  { world }: StoredSession,
  { name }: CalledTool,
  ms: number,
  error: string | undefined,
): void {
  const subject = name.slice(0, 100)
  currentSpan()?.part(
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

/** Ends a session that cannot go on. Returns the end that counts. */
export async function endWith(
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
