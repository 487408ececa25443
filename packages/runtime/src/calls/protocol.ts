/**
 * Calls and their replies, as frames on the runner’s channel next to the outcome. A call is `\x01ID
 * ["NAME",ARGS]`, its reply `\x01ID REPLY`, both UTF-8. Hostile code writes calls, so they are bounded
 * before they are read, and checked before they are trusted.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { CallReply } from '../surface.ts'
import { findUnsafeJson } from '../protocol.ts'

/** A frame that begins with this byte is a call or a reply; no outcome, report or job does. */
export const callMark = 1
const mark = '\u0001'
const { stringify } = JSON
/** Beside the arguments: number, name, brackets. */
const overhead = 4096
const longestName = 200
export const computeMaxCallBytes = (resultBytes: number) => resultBytes + overhead

/** In the jail. */
export const callText = (id: number, name: string, args: string) =>
  `${mark}${id} [${stringify(name)},${args}]`

interface CallMessage {
  id: number
  name: string
  args: JsonValue
  /** Why the arguments go no further. */
  unsafe?: string
}

/** A call’s frame, checked; undefined if it can only be forged. */
export function readCall(body: Buffer): CallMessage | undefined {
  const text = body.toString('utf8', 1)
  const space = text.indexOf(' ')
  const id = /^\d{1,15}$/.test(text.slice(0, space)) ? Number(text.slice(0, space)) : undefined
  let value: unknown
  try {
    value = JSON.parse(text.slice(space + 1))
  } catch {
    return undefined
  }
  if (id === undefined || !Array.isArray(value) || value.length !== 2) return undefined
  const [name, args] = value as [unknown, JsonValue]
  if (typeof name !== 'string' || name.length > longestName) return undefined
  const unsafe = findUnsafeJson(args)
  return { id, name, args, ...(unsafe !== undefined && { unsafe }) }
}

/** On the host. A value that exceeds its limit becomes an error at the call. */
export function formatReply(id: number, name: string, reply: CallReply, bytes: number): string {
  const text = JSON.stringify(reply)
  if (Buffer.byteLength(text) <= bytes) return `${mark}${id} ${text}`
  const error = {
    name: 'RangeError',
    message: `The answer of ${name} is longer than ${Math.floor(bytes / 1024)} KiB`,
  }
  return `${mark}${id} ${JSON.stringify({ ok: false, error })}`
}
