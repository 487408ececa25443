/** One call to a session's world. Faulty model output gets a text as its reply, never an internal error. */
import {
  findInfiniteNumber,
  isRecord,
  type JsonValue,
  type JsonObject,
  type ModelToolCall,
  type ToolReply,
  findDeepMember,
} from '@stateeval/contracts'
import { computeExchangedBytes } from '@stateeval/sandbox'
import { isAway, getErrorText } from '@stateeval/service-kit'
import type { WorldReplica } from './open-worlds.ts'
import type { StoredSession } from './store.ts'

export type CalledTool = Pick<ModelToolCall, 'name' | 'arguments'>

/** The call timed out. What it changed is unknown, so its world is discarded. */
export class LateCall extends Error {
  override readonly name = 'LateCall'
}

/** The world failed over what it was asked for; see attribution.ts of the sandbox. */
export class WorldFault extends Error {
  override readonly name = 'WorldFault'
}

/** Rejects with a WorldFault where the world fails, unless a server is away. */
export const askWorld = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw isAway(error) ? error : new WorldFault(getErrorText(error))
  })

const createToolRefusal = (content: string): ToolReply => ({ content, error: true })

/**
 * Calls a tool in the world and counts the call. The session and its log determine the reply. Throws a
 * LateCall or a WorldFault.
 */
export async function callTool(
  replica: WorldReplica,
  { limits }: StoredSession,
  call: CalledTool,
  now: () => number,
): Promise<ToolReply> {
  const bytes = limits.resultKiB * 1024
  const startedAt = now()
  const reply = await (async (): Promise<ToolReply> => {
    if (replica.at >= limits.requests)
      return createToolRefusal(`a session may make at most ${limits.requests} calls`)
    if (isFull(replica, limits))
      return createToolRefusal(
        `arguments and replies of a session may have at most ${Math.floor(computeExchangedBytes(limits) / 1024)} KiB together`,
      )
    const argumentBytes = Buffer.byteLength(call.arguments)
    if (argumentBytes > bytes) return createToolRefusal(`arguments may have at most ${limits.resultKiB} KiB`)
    const args = parseToolArguments(call)
    if (typeof args === 'string') return createToolRefusal(args)
    replica.bytes += argumentBytes
    const toolReply = await limitCallTime(
      askWorld(() => replica.open.call!(call.name, args)),
      limits.wallMs,
    )
    const replyBytes = Buffer.byteLength(toolReply.content)
    if (replyBytes > bytes) return createToolRefusal(`the reply has more than ${limits.resultKiB} KiB`)
    replica.bytes += replyBytes
    return toolReply
  })()
  replica.at++
  replica.ms += now() - startedAt
  return reply
}

/**
 * Tells whether its calls have exchanged more than a session may: worlds and callers keep what they receive.
 */
export const isFull = ({ bytes }: WorldReplica, limits: StoredSession['limits']) =>
  bytes > computeExchangedBytes(limits)

/** The arguments as an object, or their fault. */
export function parseToolArguments({ name, arguments: text }: CalledTool): JsonObject | string {
  const wrong = `${name.slice(0, 60)} takes its arguments as a JSON object`
  let args: JsonValue
  try {
    args = JSON.parse(text) as JsonValue
  } catch {
    return `${wrong}; these are not JSON`
  }
  if (!isRecord(args)) return wrong
  if (findDeepMember(args) !== null) return `${wrong}; these are nested too deeply`
  const infinite = findInfiniteNumber(args)
  return infinite === null ? args : `${wrong}; the number at ${infinite} is beyond ${Number.MAX_VALUE}`
}

/** Rejects with a LateCall if the work takes longer. */
export async function limitCallTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new LateCall(`the call took longer than ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
