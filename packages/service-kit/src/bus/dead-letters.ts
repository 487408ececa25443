/**
 * Dead letters: jobs that failed permanently, with their error, in the stream DEAD. They are read by their
 * position in the stream, one request each, so a reader holds only what it shows.
 */
import { type DeadLetterMessage, defaultProject, type JobSubject } from '@stateeval/contracts'
import { type NatsConnection, NatsError, StringCodec } from 'nats'
import { getCurrentProject } from '../access/project.ts'
import { isJobMessage, knownSubjects } from './delivery.ts'
import type { BusNames } from './names.ts'

/** A dead letter with its position. */
export interface DeadLetterEntry extends DeadLetterMessage {
  /** Its place in the stream; a job that dies again gets a new one. */
  sequence: number
  /** When the job was given up. */
  at: Date
}
export interface DeadLetterOffice {
  /**
   * The first one at this place or behind it, of one kind of job where that is named; null where there is
   * none.
   */
  next(from: number, subject?: JobSubject): Promise<DeadLetterEntry | null>
  get(sequence: number): Promise<DeadLetterEntry | null>
  /** Removing one that is gone changes nothing. */
  remove(sequence: number): Promise<void>
  /** How many there are, of all projects. */
  count(): Promise<number>
}

/** Our part of the bus. `away` turns an answer of the broker, or its silence, into a problem. */
interface OfficeParts {
  connection: () => NatsConnection
  names: BusNames
  away: (error: unknown) => Error
}
interface StoredMessage {
  subject: string
  seq: number
  /** In base64. */
  data?: string
  time: string
}
interface StreamAnswer {
  message?: StoredMessage
  error?: { err_code?: number; description?: string }
}

const timeoutMs = 2000
const text = StringCodec()
/** JetStream's code where no message has this number, or none behind it has this subject. */
const noMessage = 10_037

export function openDeadLetters({ connection, names, away }: OfficeParts): DeadLetterOffice {
  const ask = async (query: object): Promise<StoredMessage | null> => {
    const nc = connection()
    const answer = await nc
      .request(`$JS.API.STREAM.MSG.GET.${names.dead}`, text.encode(JSON.stringify(query)), {
        timeout: timeoutMs,
      })
      .catch((error: unknown) => {
        throw away(error)
      })
    const { message, error } = answer.json<StreamAnswer>()
    if (message) return message
    if (error?.err_code === noMessage) return null
    throw away(new Error(error?.description ?? 'it gave no message'))
  }
  const streams = async () =>
    (await connection().jetstreamManager({ timeout: timeoutMs, checkAPI: false })).streams
  /** null also where it is another project's. */
  const find = async (sequence: number) => {
    const message = await ask({ seq: sequence })
    const entry = message && parseDeadLetter(message)
    return (entry?.project ?? defaultProject) === getCurrentProject() ? entry : null
  }
  return {
    async next(from, subject) {
      for (let seq = from; ;) {
        const message = await ask({ seq, next_by_subj: names.deadKind(subject) })
        if (message === null) return null
        const entry = parseDeadLetter(message)
        if (entry && (entry.project ?? defaultProject) === getCurrentProject()) return entry
        // Another project's, or one that this version can't read.
        seq = message.seq + 1
      }
    },
    async get(sequence) {
      return find(sequence)
    },
    async remove(sequence) {
      if (!(await find(sequence))) return
      try {
        await (await streams()).deleteMessage(names.dead, sequence)
      } catch (error) {
        // It is gone already.
        if (!(error instanceof NatsError && error.api_error)) throw away(error)
      }
    },
    async count() {
      try {
        return (await (await streams()).info(names.dead)).state.messages
      } catch (error) {
        throw away(error)
      }
    },
  }
}

/** A stored message as a dead letter; null where it is none. */
function parseDeadLetter({ seq, subject, data = '', time }: StoredMessage): DeadLetterEntry | null {
  const kind = /\.([^.]+\.[^.]+)\.[^.]+$/.exec(subject)?.[1]
  const takes = `jobs.${kind}`
  if (!knownSubjects.has(takes)) return null
  try {
    const value = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as unknown
    if (!isJobMessage(value)) return null
    const { error, attempts } = value as Partial<DeadLetterMessage>
    return {
      ...value,
      subject: takes as JobSubject,
      error: typeof error === 'string' ? error : '',
      attempts: typeof attempts === 'number' ? attempts : 0,
      sequence: seq,
      at: new Date(time),
    }
  } catch {
    return null
  }
}
