/**
 * The protocol between host and jail: length-prefixed JSON frames over one inherited unix socket. The host
 * sends one Job; the jail answers with one Outcome and ends. Hostile code writes an Outcome, so it is
 * bounded before it is read and checked before it is trusted.
 */
import { isRecord } from '@stateeval/contracts/is-record'
import { maxDepth } from '@stateeval/contracts/json'
import type { CapturedError, CapturedRequest, JsonValue } from '@stateeval/contracts'
import { type CaptureReply, checkRequests } from './captured-request.ts'

export { frameFd, handoverFd, maxDescriptors } from '@stateeval/jail/channel'

/** Host to jail: one input’s run. */
export interface InputJob {
  /** The prepared code, see javascript/program/prepare.ts. */
  source: string
  /** Negative: the characters that preparation put before the candidate’s first character. */
  columnOffset: number
  variables: Record<string, unknown>
  /** null for a world without HTTP. */
  baseUrl: string | null
  /** RESULT and captured requests together may be this long. */
  resultBytes: number
  /**
   * Reply with which axios's requests are recorded and answered; null where they are sent. `files` can be
   * read by name, as texts; with `fetch`, its requests are recorded as well.
   */
  capture: (CaptureReply & { maxRequests: number; files?: Record<string, string>; fetch?: true }) | null
  /**
   * The module between the host’s functions and the code; null where there are none. `key` stands for the
   * text.
   */
  surface: { key: string; source: string } | null
}

/**
 * Jail to host: how the code ended, as reported by the code’s process. The captured requests accompany it
 * as `requests`.
 */
export type RunOutcome =
  | { status: 'completed'; result: JsonValue }
  | { status: 'no_result'; reason: string }
  | { status: 'threw'; error: CapturedError }
  | { status: 'syntax'; error: CapturedError }
  | { status: 'oversize' }
  /** Its memory ran out. */
  | { status: 'memory' }
  /** More requests were captured than the limits allow. */
  | { status: 'requests' }

/** Why there is no RESULT if code neither set it nor reached its end. */
export const unfinished =
  'RESULT was not set when the code ended: by process.exit(), or awaiting something that never settles'

/** Room for the parts of an outcome besides RESULT: the error's text, escaped. */
const overhead = 128 * 1024
const computeMaxFrameBytes = (resultBytes: number) => resultBytes + overhead

export function encodeFrame(text: string): Uint8Array {
  const body = Buffer.from(text, 'utf8')
  const frame = Buffer.allocUnsafe(body.length + 4)
  frame.writeUInt32BE(body.length, 0)
  body.copy(frame, 4)
  return frame
}

export type FrameContent =
  | { kind: 'nothing' }
  | { kind: 'outcome'; outcome: RunOutcome; requests: CapturedRequest[] }
  | { kind: 'violation'; reason: string }

/** Reads the jail’s one frame; anything but exactly one well-formed outcome is a violation. */
export class FrameReader {
  readonly #limit: number
  #chunks: Buffer[] = []
  #bytes = 0
  constructor(resultBytes: number) {
    this.#limit = computeMaxFrameBytes(resultBytes) + 4
  }
  /** False once more came than an outcome may hold: the jail should be stopped. */
  push(chunk: Buffer): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > this.#limit) this.#chunks = []
    else this.#chunks.push(chunk)
    return this.#bytes <= this.#limit
  }
  read(): FrameContent {
    if (this.#bytes === 0) return { kind: 'nothing' }
    if (this.#bytes > this.#limit) return { kind: 'violation', reason: `more than ${this.#limit} bytes` }
    const all = Buffer.concat(this.#chunks)
    if (all.length < 4 || all.readUInt32BE(0) !== all.length - 4)
      return { kind: 'violation', reason: 'not exactly one frame' }
    return readOutcome(all.toString('utf8', 4))
  }
}

/** An outcome’s text, checked. */
function readOutcome(text: string): FrameContent {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'violation', reason: 'no JSON' }
  }
  const outcome = checkOutcome(value)
  const requests = checkRequests((value as { requests?: unknown } | null)?.requests)
  return outcome && requests
    ? { kind: 'outcome', outcome, requests }
    : { kind: 'violation', reason: 'no outcome' }
}

function checkOutcome(value: unknown): RunOutcome | undefined {
  if (!isRecord(value)) return undefined
  switch (value['status']) {
    case 'completed':
      if (!('result' in value)) return undefined
      return findUnsafeJson(value['result'] as JsonValue) === undefined
        ? { status: 'completed', result: value['result'] as JsonValue }
        : undefined
    case 'no_result':
      return typeof value['reason'] === 'string'
        ? { status: 'no_result', reason: value['reason'].slice(0, 1000) }
        : undefined
    case 'threw':
    case 'syntax': {
      const error = checkError(value['error'])
      return error && { status: value['status'], error }
    }
    case 'oversize':
    case 'memory':
    case 'requests':
      return { status: value['status'] }
    default:
      return undefined
  }
}

function checkError(value: unknown): CapturedError | undefined {
  if (!isRecord(value) || typeof value['name'] !== 'string' || typeof value['message'] !== 'string')
    return undefined
  const { line, stack, status } = value
  return {
    name: value['name'].slice(0, 200),
    message: value['message'].slice(0, 4000),
    ...(Number.isInteger(line) && (line as number) > 0 && { line: line as number }),
    ...(typeof stack === 'string' && stack !== '' && { stack: stack.slice(0, 8000) }),
    ...(Number.isInteger(status) &&
      (status as number) >= 100 &&
      (status as number) <= 599 && { status: status as number }),
  }
}

/**
 * Why a JSON value is unsafe (too deep, or a key that sets prototypes); otherwise undefined. Without
 * recursion.
 */
export function findUnsafeJson(root: JsonValue): string | undefined {
  let level: JsonValue[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    const next: JsonValue[] = []
    for (const value of level) {
      if (value === null || typeof value !== 'object') continue
      if (depth >= maxDepth) return `nested more than ${maxDepth} levels deep`
      if (Array.isArray(value)) for (const item of value) next.push(item)
      else
        for (const key of Object.keys(value)) {
          if (key === '__proto__') return 'has a key named __proto__'
          next.push(value[key] as JsonValue)
        }
    }
    level = next
  }
  return undefined
}
