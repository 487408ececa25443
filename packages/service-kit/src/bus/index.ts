/**
 * The bus: the only folder that knows NATS. It connects in the background and never stops reconnecting.
 * While the broker is unavailable, publishing rejects immediately with a problem 'unavailable', and
 * consuming waits.
 */
import {
  coordinator,
  defaultProject,
  type JobMessage,
  type JobOutcome,
  type JobReply,
  type JobSubject,
  type JobPayload,
  chooseMessageVersion,
  ProblemError,
} from '@stateeval/contracts'
import { type ApiError, headers as natsHeaders, NatsError, StringCodec } from 'nats'
import { getCurrentProject, qualifyName } from '../access/project.ts'
import { getErrorText, hasDiskFullWords } from '../errors.ts'
import type { ServiceLog } from '../log.ts'
import { drawRandomHex } from '../random.ts'
import { readTogether } from '../read-together.ts'
import { isSealing } from '../sealing.ts'
import { pauseUnlessAborted } from '../time.ts'
import { getCurrentSpan } from '../tracing/tracer.ts'
import { write, writeObject, type JsonWritten } from '../written.ts'
import { type QueueConsumer, createConsumer, type HandleDelivery } from './consume.ts'
import { createAwayError, openConnection, requestTimeoutMs } from './connection.ts'
import { formatInbox, isUser, type NatsConfig } from './credentials.ts'
import { type DeadLetterOffice, openDeadLetters } from './dead-letters.ts'
import { probeMessage } from './delivery.ts'
import { type BusEvent, type EventOptions, readEvents } from './events.ts'
import { createInbox } from './inbox.ts'
import { buildBusNames as namesOf } from './names.ts'
import { type ServiceQuestions, openQuestions } from './questions.ts'
import type { StorageUse } from '../mongo.ts'
import { readQueueState, type QueueState } from './queue-state.ts'
import {
  ackWaitMs,
  type ConsumerLook,
  findDeliveryFault,
  ensureConsumer,
  readConsumerLook,
} from './streams.ts'

export type { QueueConsumer } from './consume.ts'
export type { DeadLetterEntry, DeadLetterOffice } from './dead-letters.ts'
export type { JobDelivery } from './delivery.ts'
export type { BusEvent, EventOptions } from './events.ts'
export type { QueueState } from './queue-state.ts'

export interface MessageBus extends ServiceQuestions {
  /** True if the broker can be reached now, with its streams in place. */
  readonly connected: boolean
  /** The broker's version; throws a problem 'unavailable' while it can't be reached. */
  version(): string
  /**
   * Throws a problem 'unavailable' while it can't be reached: asked before storing what would wait for the
   * queue.
   */
  check(): void
  /** Resolves when it can be reached. */
  ready(signal?: AbortSignal): Promise<void>
  /**
   * Queues a job of the current project; one that is queued already stays as it is. Rejects with
   * 'unavailable' while the broker is away.
   */
  publishJob(subject: JobSubject, job: OutgoingJob): Promise<void>
  /**
   * Queues a job of the current project and waits for its end, which comes straight back to this process.
   * Rejects with 'unavailable' while the broker is away, or once the signal is aborted. Repeated, the same id
   * is the same job.
   */
  request(
    subject: JobSubject,
    job: { id: string; payload: JobPayload | JsonWritten },
    signal: AbortSignal,
  ): Promise<JobOutcome>
  /** Answers a process that waits for a job. Where the broker is away it is lost, and asked for again. */
  publishReply(inbox: string, reply: JobReply | JsonWritten): void
  /** Tells the world. Courtesy only: while the broker is away it is lost, and nothing is thrown. */
  publishEvent(entity: string, id: string, what: string, data: unknown): Promise<void>
  /** Keeps what failed for good, with its error. */
  publishDead(
    subject: JobSubject,
    message: JobMessage,
    end: { error: string; attempts: number },
  ): Promise<void>
  /** Letters of jobs that failed for good. */
  dead: DeadLetterOffice
  /**
   * Hands out jobs of a kind to at most `concurrency` handlers at once. The handler answers each delivery
   * itself; see `HandleDelivery`.
   */
  consume(subject: JobSubject, options: ConsumeOptions, handle: HandleDelivery): QueueConsumer
  /**
   * Rejects unless the queue of a kind works: it stores a message now, and has delivered what it stored
   * before to this process, if this process takes such jobs and is free.
   */
  probe(subject: JobSubject): Promise<void>
  /**
   * Resolves when a message has gone through the queue of a kind to a process that takes such jobs, and back.
   */
  roundTrip(subject: JobSubject, signal: AbortSignal): Promise<void>
  /** Replaces the consumer of a kind if it would never deliver what is queued; gives why it did. */
  repair(subject: JobSubject): Promise<string | null>
  /**
   * Rejects if the queue of a kind holds jobs that it will never deliver, so that a job which is "queued
   * already" never ends. Made by whoever asks again and again for a job.
   */
  checkDelivers(subject: JobSubject): Promise<void>
  /** How many jobs of a kind nobody has taken yet. 0 where nobody ever took one. */
  waiting(subject: JobSubject): Promise<number>
  /** How the queue of a kind stands, of all projects together. */
  queue(subject: JobSubject): Promise<QueueState>
  /** The use of the broker's storage by this account; `limit` is null where the account has none. */
  storage(): Promise<StorageUse>
  /** Events of an entity of the current project, or of all ('*'), as they happen; ends with the signal. */
  events(entity: string, id: string, options: EventOptions): AsyncIterable<BusEvent>
  /** Removes what is kept of the events of the current project, which isn't the default one. */
  forgetEvents(): Promise<void>
  close(): Promise<void>
}
/** A job message to be sent; large parts may already be serialized. */
export interface OutgoingJob {
  id: string
  /** The version that reads the payload correctly, where it is newer than what the envelope needs. */
  version?: number
  payload: JobPayload | JsonWritten
  replyTo?:
    | { subject: JobSubject; correlation: string; carried?: JobPayload | JsonWritten; version?: number }
    | { inbox: string; correlation: string }
  redrive?: string
  probe?: true
}
interface ConsumeOptions {
  concurrency: number
  /** After this time without a word from the handler the job goes to another, in milliseconds. */
  ackWaitMs?: number
}
interface BusOptions {
  nats: NatsConfig
  namespace: string
  /** The service. Shown in the broker's list of connections. */
  name: string
  /** True if it waits for jobs itself (`request`). */
  hearsAnswers?: boolean
  log: ServiceLog
  /** After so long without a connection another one is made, in milliseconds. */
  hungMs?: number
}

function formatMessage({ id, payload, replyTo, redrive, probe, version }: OutgoingJob) {
  const project = getProjectField()
  return writeObject({
    version: chooseMessageVersion(project, typeof replyTo === 'object' && 'inbox' in replyTo, version),
    id,
    project,
    payload,
    replyTo: replyTo && writeObject({ ...replyTo }),
    redrive,
    probe,
    sealed: isSealing() || undefined,
  })
}
/** Absent for the default project: such messages are what they were before there were projects. */
const getProjectField = () => (getCurrentProject() === defaultProject ? undefined : getCurrentProject())

const longestError = 4000
/** A free slot gets what is queued at once, so a queue that delivers nothing for so long does not work. */
const undeliveredMs = 30_000
/**
 * JetStream's code for a message that it did not store. Only its text tells a full disk from a full subject.
 */
const notStored = 10_077
const isQueuedAlready = ({ err_code, description }: ApiError) =>
  err_code === notStored && /^maximum messages per subject exceeded/.test(description)

/** The receiver of the message continues the sender's trace. */
function getTraceField() {
  const span = getCurrentSpan()
  if (!span) return undefined
  const headers = natsHeaders()
  headers.set('traceparent', span.traceparent)
  return headers
}

export function openBus({
  nats,
  namespace,
  name,
  log,
  hearsAnswers = false,
  hungMs = 15_000,
}: BusOptions): MessageBus {
  const names = namesOf(namespace)
  const text = StringCodec()
  // Among users, only the coordinator, which sends these jobs (scripts/nats-permissions.ts).
  const mayReadJobs = name === coordinator || !isUser(nats)
  const connection = openConnection({ nats, namespace, names, name, log, hungMs })

  /** Resolves to false if the same job is queued already. */
  const publish = async (subject: string, data: unknown, msgID?: string): Promise<boolean> => {
    const stream = connection.jetStream()
    const headers = getTraceField()
    // Before the try: what has no text is no matter of the broker, and no later time changes it.
    const bytes = text.encode(write(data).text)
    try {
      await stream.publish(subject, bytes, {
        timeout: requestTimeoutMs,
        ...(msgID && { msgID }),
        ...(headers && { headers }),
      })
      return true
    } catch (error) {
      // The client calls every 503 "not enabled"; what the server said is in api_error.
      const said = error instanceof NatsError ? error.api_error : undefined
      if (said && isQueuedAlready(said)) return false
      if (error instanceof NatsError && /payload/i.test(error.code)) throw error
      if (said && hasDiskFullWords(said.description))
        throw new ProblemError(
          'insufficient-storage',
          'the disk of NATS is full; free space on it, then send the request again',
        )
      throw createAwayError(`NATS did not accept the message: ${getErrorText(error)}; try again in a moment`)
    }
  }

  // The server drops what it got under the same id a moment ago; a job may die and be queued again sooner
  // than that.
  const publishJob: MessageBus['publishJob'] = async (subject, job) =>
    void (await publish(
      names.job(subject, job.id),
      formatMessage(job),
      qualifyName(job.redrive === undefined ? job.id : `${job.id}:${job.redrive}`),
    ))
  const inbox = createInbox(name, names.inbox, publishJob)
  if (hearsAnswers) connection.onClient((client) => inbox.listen(client))

  const manager = () => connection.client().jetstreamManager({ timeout: requestTimeoutMs, checkAPI: false })
  const readWaiting = async (subject: JobSubject) => {
    const streams = manager()
    try {
      return (await (await streams).consumers.info(names.jobs, names.consumer(subject))).num_pending
    } catch (error) {
      if (error instanceof NatsError && error.api_error?.code === 404) return 0
      throw createAwayError(`NATS did not report its queue: ${getErrorText(error)}; try again in a moment`)
    }
  }
  const consumings = new Map<JobSubject, QueueConsumer>()
  const looks = new Map<JobSubject, ConsumerLook>()
  const waitingReaders = new Map<JobSubject, () => Promise<number>>()

  return {
    get connected() {
      return connection.connected
    },
    version: () => connection.client().info?.version ?? 'unknown',
    check: () => void connection.client(),
    ready: (signal) => connection.ready(signal),
    publishJob,
    request: (subject, job, signal) => inbox.request(subject, job, signal),
    publishReply(to, reply) {
      try {
        if (connection.connected) connection.client().publish(names.inbox(to), text.encode(write(reply).text))
      } catch (error) {
        log.debug({ reason: getErrorText(error) }, 'an answer was lost')
      }
    },
    async publishEvent(entity, id, what, data) {
      await publish(names.event(entity, id, what), data).catch((error: unknown) =>
        log.debug({ reason: getErrorText(error) }, 'event lost'),
      )
    },
    publishDead: async (subject, { redrive: _, ...message }, { error, attempts }) =>
      void (await publish(names.deadLetter(subject, message.id), {
        ...message,
        subject,
        error: error.slice(0, longestError),
        attempts,
      })),
    dead: openDeadLetters({
      connection: () => connection.client(),
      names,
      away: (error) =>
        createAwayError(
          `NATS did not return the dead letters: ${getErrorText(error)}; try again in a moment`,
        ),
    }),
    consume(subject, options, handle) {
      const consuming = createConsumer(
        {
          connection: (signal) => connection.live(signal),
          names,
          inbox: formatInbox(name),
          subject,
          log,
          ...options,
        },
        handle,
      )
      consumings.set(subject, consuming)
      return consuming
    },
    async probe(subject) {
      const consuming = consumings.get(subject)
      const idleMs = consuming?.idleMs() ?? 0
      if ((await publish(names.probe(subject), probeMessage)) || idleMs < undeliveredMs) return
      consuming?.recheck()
      throw new Error(
        `${subject} holds messages and has delivered none for ${Math.round(idleMs / 1000)} s; see the log of NATS`,
      )
    },
    async roundTrip(subject, signal) {
      await inbox.request(
        subject,
        { id: `probe-${drawRandomHex(8)}`, payload: { inline: null }, probe: true },
        signal,
      )
    },
    async repair(subject) {
      const jsm = await manager()
      const look = await readConsumerLook(jsm, names, subject)
      // Two looks decide.
      if (look.leftOut > 0) await pauseUnlessAborted(1000, connection.closing)
      return (await ensureConsumer(jsm, names, subject, ackWaitMs, look)).replaced
    },
    async checkDelivers(subject) {
      const look = await readConsumerLook(await manager(), names, subject).catch((error: unknown) => {
        // No consumer yet: its service has never run, and delivers once it does.
        if (error instanceof NatsError && error.api_error?.code === 404) return undefined
        throw createAwayError(`NATS did not report its queue: ${getErrorText(error)}; try again in a moment`)
      })
      const fault = look && findDeliveryFault(look, looks.get(subject))
      if (look) looks.set(subject, look)
      if (fault)
        throw new Error(
          `the queue ${subject} does not deliver what it holds (${fault}); start a replica that takes these jobs, which replaces the consumer`,
        )
    },
    waiting(subject) {
      const reader = waitingReaders.get(subject) ?? readTogether(() => readWaiting(subject))
      waitingReaders.set(subject, reader)
      return reader()
    },
    async storage() {
      const { storage, limits } = await (await manager()).getAccountInfo()
      return { used: storage, limit: limits.max_storage > 0 ? limits.max_storage : null }
    },
    queue: async (subject) =>
      readQueueState(connection.client(), names, subject, { timeoutMs: requestTimeoutMs, mayReadJobs }),
    async forgetEvents() {
      const streams = manager()
      try {
        await (await streams).streams.purge(names.events, { filter: names.eventsOfProject() })
      } catch (error) {
        throw createAwayError(`NATS did not delete events: ${getErrorText(error)}; try again in a moment`)
      }
    },
    ...openQuestions({ connection, names, log }),
    async *events(entity, id, options) {
      yield* readEvents(connection.client(), names, entity, id, options)
    },
    close: () => connection.close(),
  }
}
