/** One delivered job, and its replies to the queue. */
import {
  inboxPattern,
  isProjectId,
  isRecord,
  type JobMessage,
  messageVersion,
  subjects,
} from '@stateeval/contracts'
import { ErrorCode, type Msg, type NatsConnection, NatsError } from 'nats'

export interface JobDelivery {
  /** The span of who sent it. */
  traceparent: string | undefined
  /** null where the bytes are no job message. */
  message: JobMessage | null
  /**
   * The message's version where it is newer than what is known here: then its form is not, and `message` is
   * null.
   */
  newerVersion?: number
  /** True for a probe of the queue: its worker acknowledges it and does nothing. */
  isProbe?: boolean
  /** How long it waited in the queue, in milliseconds. */
  waitedMs: number
  /** From 1. */
  delivery: number
  /** Done: remove it from the queue. */
  ack(): void
  /** Hand it back; it comes again after the delay, in milliseconds. */
  nak(delayMs?: number): void
  /** Still at it: start the acknowledgement's time anew. */
  working(): void
  /** It can never succeed: remove it. */
  term(reason: string): void
}

const over: ReadonlySet<string> = new Set([ErrorCode.ConnectionClosed, ErrorCode.ConnectionDraining])

export function createDelivery(nc: NatsConnection, msg: Msg): JobDelivery {
  // $JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>.<consumer seq>.<timestamp ns>.<pending>; newer
  // servers put domain and account before the stream and a token at the end.
  const parts = (msg.reply ?? '').split('.')
  const at = parts.length > 9 ? 6 : 4
  const say = (text: string) => {
    // A connection that is closed, or about to be, says nothing more; what it left unsaid comes again to
    // another worker.
    if (!msg.reply) return
    try {
      nc.publish(msg.reply, text)
    } catch (error) {
      if (!(error instanceof NatsError && over.has(error.code))) throw error
    }
  }
  return {
    traceparent: msg.headers?.get('traceparent'),
    ...parseMessage(msg),
    delivery: Number(parts[at]),
    waitedMs: Math.max(0, Date.now() - Number(parts[at + 3]) / 1e6),
    ack: () => say('+ACK'),
    nak: (delayMs = 0) => say(delayMs > 0 ? `-NAK {"delay": ${delayMs * 1e6}}` : '-NAK'),
    working: () => say('+WPI'),
    term: (reason) => say(`+TERM ${reason.slice(0, 200)}`),
  }
}

export const knownSubjects: ReadonlySet<unknown> = new Set(Object.values(subjects))

/** Earlier versions drop it as no job message. */
export const probeMessage = { probe: true }

function parseMessage(msg: Msg): Pick<JobDelivery, 'message' | 'newerVersion' | 'isProbe'> {
  let value: unknown
  try {
    value = msg.json<unknown>()
  } catch {
    return { message: null }
  }
  const version = isRecord(value) ? (value['version'] ?? 1) : null
  if (typeof version === 'number' && version > messageVersion) return { message: null, newerVersion: version }
  const isProbe = isRecord(value) && value['probe'] === true
  return { message: isJobMessage(value) ? value : null, ...(isProbe && { isProbe }) }
}

function isReplyAddress(value: unknown): boolean {
  if (!isRecord(value) || typeof value['correlation'] !== 'string') return false
  const { subject, inbox, version } = value
  if (version !== undefined && typeof version !== 'number') return false
  return inbox === undefined
    ? knownSubjects.has(subject)
    : typeof inbox === 'string' && inboxPattern.test(inbox)
}

/**
 * An answer to an invalid subject would end the connection at every try, so it must be a subject of this
 * suite.
 */
export function isJobMessage(value: unknown): value is JobMessage {
  if (!isRecord(value) || typeof value['id'] !== 'string' || !isRecord(value['payload'])) return false
  const { inline, artifact } = value['payload']
  if (inline === undefined && typeof artifact !== 'string') return false
  const { replyTo, redrive, project, sealed } = value
  if (sealed !== undefined && typeof sealed !== 'boolean') return false
  if (redrive !== undefined && typeof redrive !== 'string') return false
  if (project !== undefined && !isProjectId(project)) return false
  return replyTo === undefined || isReplyAddress(replyTo)
}
