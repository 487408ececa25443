/**
 * The bus: the only module that knows NATS. It connects in the background and never stops reconnecting.
 * While the broker is unavailable, publishing rejects immediately with a problem 'unavailable', and
 * consuming waits.
 */
import {
  defaultProject,
  type JobMessage,
  type JobOutcome,
  type JobReply,
  type JobSubject,
  type Payload,
  ProblemError,
  type QuestionSubject,
  type RollCallSubject,
  messageVersionOf,
} from '@stateeval/contracts'
import {
  connect,
  Events,
  headers as natsHeaders,
  type JetStreamClient,
  type NatsConnection,
  NatsError,
  RequestStrategy,
  StringCodec,
} from 'nats'
import { currentProject, inProjectName } from '../access/project.ts'
import type { NatsConfig } from '../config.ts'
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import { readTogether } from '../read-together.ts'
import { aborted, pause } from '../time.ts'
import { currentSpan } from '../tracing/tracer.ts'
import { write, writeObject, type Written } from '../written.ts'
import { type Consuming, consume } from './consume.ts'
import { credentialsOf, inboxOf } from './credentials.ts'
import { type DeadLetterOffice, deadLettersOf } from './dead-letters.ts'
import type { Delivery } from './delivery.ts'
import { type BusEvent, type EventOptions, readEvents } from './events.ts'
import { createInbox } from './inbox.ts'
import { names as namesOf } from './names.ts'
import { queueState, type QueueState } from './queue-state.ts'
import { ensureStreams } from './streams.ts'

export type { Consuming } from './consume.ts'
export type { DeadLetterEntry, DeadLetterOffice } from './dead-letters.ts'
export type { Delivery } from './delivery.ts'
export type { BusEvent, EventOptions } from './events.ts'
export type { QueueState } from './queue-state.ts'

export interface Bus {
  /** Whether the broker can be reached now, with its streams in place. */
  readonly connected: boolean
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
    job: { id: string; payload: Payload | Written },
    signal: AbortSignal,
  ): Promise<JobOutcome>
  /** Answers a process that waits for a job. Where the broker is away it is lost, and asked for again. */
  publishReply(inbox: string, reply: JobReply | Written): void
  /** Tells the world. Courtesy only: while the broker is away it is lost, and nothing is thrown. */
  publishEvent(entity: string, id: string, what: string, data: unknown): Promise<void>
  /** Keeps what failed for good, with its error. */
  publishDead(
    subject: JobSubject,
    message: JobMessage,
    end: { error: string; attempts: number },
  ): Promise<void>
  /** What failed for good. */
  dead: DeadLetterOffice
  /**
   * Hands out jobs of a kind to at most `concurrency` handlers at once. The handler answers each delivery
   * itself.
   */
  consume(
    subject: JobSubject,
    options: ConsumeOptions,
    handle: (delivery: Delivery) => Promise<void>,
  ): Consuming
  /** How many jobs of a kind nobody has taken yet. 0 where nobody ever took one. */
  waiting(subject: JobSubject): Promise<number>
  /** How the queue of a kind stands, of all projects together. */
  queue(subject: JobSubject): Promise<QueueState>
  /** Events of an entity of the current project, or of all ('*'), as they happen; ends with the signal. */
  events(entity: string, id: string, options: EventOptions): AsyncIterable<BusEvent>
  /** Removes what is kept of the events of the current project, which isn't the default one. */
  forgetEvents(): Promise<void>
  /** Answers a question as long as the bus is open; of several processes that do, one is asked. */
  answer(subject: QuestionSubject, give: () => unknown): void
  /**
   * What somebody answers; undefined where nobody does. `patienceMs`: how long to wait for somebody who can.
   */
  ask(subject: QuestionSubject, patienceMs?: number): Promise<unknown>
  /** Answers by this process, beside all others that do. */
  answerEach(subject: RollCallSubject, give: () => Promise<unknown>): void
  /** What all processes answer that do within this time; rejects while the broker is away. */
  askEach(subject: RollCallSubject, withinMs: number): Promise<unknown[]>
  close(): Promise<void>
}
/** A job message to be sent; large parts may already be serialized. */
export interface OutgoingJob {
  id: string
  /** What reads its payload rightly, where that is newer than what the envelope needs. */
  version?: number
  payload: Payload | Written
  replyTo?:
    | { subject: JobSubject; correlation: string; carried?: Payload | Written; version?: number }
    | { inbox: string; correlation: string }
  redrive?: string
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
  /** Whether it waits for jobs itself (`request`). */
  hearsAnswers?: boolean
  log: Log
  /** After so long without a connection another one is made, in milliseconds. */
  hungMs?: number
}

function messageText({ id, payload, replyTo, redrive, version }: OutgoingJob) {
  const project = projectField()
  return writeObject({
    version: messageVersionOf(project, typeof replyTo === 'object' && 'inbox' in replyTo, version),
    id,
    project,
    payload,
    replyTo: replyTo && writeObject({ ...replyTo }),
    redrive,
  })
}
/** Absent for the default project: such messages are what they were before there were projects. */
const projectField = () => (currentProject() === defaultProject ? undefined : currentProject())

const publishTimeoutMs = 2000
const longestError = 4000
/** JetStream's code for a subject that holds as many messages as it may. */
const tooManyForSubject = 10_077
const away = (detail = 'NATS cannot be reached; try again in a moment') =>
  new ProblemError('unavailable', detail)

/** Whoever gets the message goes on in the trace of who sends it. */
function traced() {
  const span = currentSpan()
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
}: BusOptions): Bus {
  const names = namesOf(namespace)
  const text = StringCodec()
  const closing = new AbortController()
  let nc: NatsConnection | undefined
  let stream: JetStreamClient | undefined
  let connected = false
  let nextConnection = Promise.withResolvers<void>()
  let drops = new AbortController()

  const up = async (connection: NatsConnection) => {
    // The broker may come back empty, or before JetStream does.
    while (!closing.signal.aborted && !connection.isClosed()) {
      try {
        await ensureStreams(
          await connection.jetstreamManager({ timeout: publishTimeoutMs }),
          namespace,
          names,
        )
        connected = true
        nextConnection.resolve()
        return
      } catch (error) {
        log.warn({ reason: messageOf(error) }, 'the streams are not ready yet')
        await pause(500, closing.signal)
      }
    }
  }
  const down = () => {
    if (connected) nextConnection = Promise.withResolvers<void>()
    connected = false
    drops.abort()
    drops = new AbortController()
  }
  const answers = new Map<QuestionSubject, () => unknown>()
  const listen = (connection: NatsConnection, subject: QuestionSubject) =>
    void connection.subscribe(names.question(subject), {
      queue: 'answers',
      callback: (_error, message) => {
        try {
          message.respond(text.encode(JSON.stringify(answers.get(subject)?.())))
        } catch (error) {
          log.warn({ subject, reason: messageOf(error) }, 'a question could not be answered')
        }
      },
    })
  const states = new Map<RollCallSubject, () => Promise<unknown>>()
  const listenToCalls = (connection: NatsConnection, subject: RollCallSubject) =>
    void connection.subscribe(names.question(subject), {
      callback: (_error, message) =>
        void states
          .get(subject)?.()
          .then((state) => message.respond(text.encode(JSON.stringify(state))))
          .catch((error: unknown) =>
            log.warn({ subject, reason: messageOf(error) }, 'a roll call was not answered'),
          ),
    })
  const follow = async (connection: NatsConnection) => {
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) {
        log.warn('NATS is away')
        down()
      } else if (status.type === Events.Reconnect) {
        log.info('NATS is back')
        void up(connection)
      } else if (status.type === Events.Error) {
        // Mostly a right that the service's user lacks (deploy/nats).
        log.error(
          { reason: String(status.data), refused: status.permissionContext },
          'NATS refused a request',
        )
      }
    }
  }
  /**
   * nats.js 2.29 does not dial again where a connection breaks in the very moment of its reconnection (seen
   * when a server was killed behind a proxy): it would be cut off for ever. A connection that was away for
   * long is given up, and another one is made.
   */
  const watch = async (connection: NatsConnection) => {
    let connectedAt = performance.now()
    while (!connection.isClosed() && !closing.signal.aborted) {
      await pause(hungMs / 4, closing.signal)
      if (connected) connectedAt = performance.now()
      else if (performance.now() - connectedAt > hungMs) {
        log.warn('NATS was unavailable for long; reconnecting')
        return void (await connection.close().catch(() => undefined))
      }
    }
  }
  const start = async () => {
    while (!closing.signal.aborted) {
      try {
        const connection = await connect({
          ...credentialsOf(nats, name),
          name,
          maxReconnectAttempts: -1,
          reconnectTimeWait: 250,
          reconnectJitter: 100,
          timeout: 3000,
          pingInterval: 5000,
          maxPingOut: 2,
          // An error made with each request beforehand, to tell where it came from.
          noAsyncTraces: true,
        })
        if (closing.signal.aborted) return void (await connection.close())
        nc = connection
        stream = connection.jetstream({ timeout: publishTimeoutMs })
        for (const subject of answers.keys()) listen(connection, subject)
        for (const subject of states.keys()) listenToCalls(connection, subject)
        if (hearsAnswers) inbox.listen(connection)
        void follow(connection)
        void watch(connection)
        await up(connection)
        // Only an authentication error or our own close ends a connection for good.
        const connectionError = await connection.closed()
        down()
        if (connectionError) log.error({ reason: connectionError.message }, 'NATS closed the connection')
      } catch (error) {
        log.warn({ reason: messageOf(error) }, 'NATS cannot be reached yet')
      }
      await pause(500, closing.signal)
    }
  }
  const startup = start()

  const publish = async (subject: string, data: unknown, msgID?: string) => {
    if (!stream || !connected) throw away()
    const headers = traced()
    // Before the try: what has no text is no matter of the broker, and no later time changes it.
    const bytes = text.encode(write(data).text)
    try {
      await stream.publish(subject, bytes, {
        timeout: publishTimeoutMs,
        ...(msgID && { msgID }),
        ...(headers && { headers }),
      })
    } catch (error) {
      // It is queued already. The client calls every 503 "not enabled"; what the server said is in api_error.
      if (error instanceof NatsError && error.api_error?.err_code === tooManyForSubject) return
      if (error instanceof NatsError && /payload/i.test(error.code)) throw error
      throw away(`NATS did not accept the message: ${messageOf(error)}; try again in a moment`)
    }
  }

  // The server drops what it got under the same id a moment ago; a job may die and be queued again sooner
  // than that.
  const publishJob: Bus['publishJob'] = (subject, job) =>
    publish(
      names.job(subject, job.id),
      messageText(job),
      inProjectName(job.redrive === undefined ? job.id : `${job.id}:${job.redrive}`),
    )
  const inbox = createInbox(name, names.inbox, publishJob)

  const readWaiting = async (subject: JobSubject) => {
    if (!nc || !connected) throw away()
    try {
      const jsm = await nc.jetstreamManager({ timeout: publishTimeoutMs, checkAPI: false })
      return (await jsm.consumers.info(names.jobs, names.consumer(subject))).num_pending
    } catch (error) {
      if (error instanceof NatsError && error.api_error?.code === 404) return 0
      throw away(`NATS did not report its queue: ${messageOf(error)}; try again in a moment`)
    }
  }
  const waitingReaders = new Map<JobSubject, () => Promise<number>>()

  return {
    get connected() {
      return connected
    },
    check() {
      if (!connected) throw away()
    },
    ready: async (signal) => {
      const cancelled = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])
      while (!connected && !cancelled.aborted)
        await Promise.race([nextConnection.promise, aborted(cancelled)])
    },
    publishJob,
    request: (subject, job, signal) => inbox.request(subject, job, signal),
    publishReply(to, reply) {
      try {
        if (connected) nc?.publish(names.inbox(to), text.encode(write(reply).text))
      } catch (error) {
        log.debug({ reason: messageOf(error) }, 'an answer was lost')
      }
    },
    async publishEvent(entity, id, what, data) {
      await publish(names.event(entity, id, what), data).catch((error: unknown) =>
        log.debug({ reason: messageOf(error) }, 'event lost'),
      )
    },
    publishDead: (subject, { redrive: _, ...message }, { error, attempts }) =>
      publish(names.deadLetter(subject, message.id), {
        ...message,
        subject,
        error: error.slice(0, longestError),
        attempts,
      }),
    dead: deadLettersOf({
      connection() {
        if (!nc || !connected) throw away()
        return nc
      },
      names,
      away: (error) =>
        away(`NATS did not return the dead letters: ${messageOf(error)}; try again in a moment`),
    }),
    consume(subject, options, handle) {
      const connection = async (signal: AbortSignal) => {
        while (!connected && !signal.aborted) await Promise.race([nextConnection.promise, aborted(signal)])
        return nc && !signal.aborted ? { nc, dropSignal: drops.signal } : null
      }
      return consume({ connection, names, inbox: inboxOf(name), subject, log, ...options }, handle)
    },
    waiting(subject) {
      const reader = waitingReaders.get(subject) ?? readTogether(() => readWaiting(subject))
      waitingReaders.set(subject, reader)
      return reader()
    },
    async queue(subject) {
      if (!nc || !connected) throw away()
      return queueState(nc, names, subject, publishTimeoutMs)
    },
    async forgetEvents() {
      if (!nc || !connected) throw away()
      try {
        const jsm = await nc.jetstreamManager({ timeout: publishTimeoutMs, checkAPI: false })
        await jsm.streams.purge(names.events, { filter: names.eventsOfProject() })
      } catch (error) {
        throw away(`NATS did not delete events: ${messageOf(error)}; try again in a moment`)
      }
    },
    answer(subject, give) {
      const listens = answers.has(subject)
      answers.set(subject, give)
      if (!listens && nc && !nc.isClosed()) listen(nc, subject)
    },
    async ask(subject, patienceMs = 0) {
      for (const until = performance.now() + patienceMs; ; await pause(100, closing.signal)) {
        try {
          if (!nc || !connected) throw away()
          const { data } = await nc.request(names.question(subject), undefined, { timeout: publishTimeoutMs })
          return JSON.parse(text.decode(data)) as unknown
        } catch (error) {
          if (performance.now() < until && !closing.signal.aborted) continue
          log.debug({ subject, reason: messageOf(error) }, 'nobody answered')
          return undefined
        }
      }
    },
    answerEach(subject, give) {
      const listens = states.has(subject)
      states.set(subject, give)
      if (!listens && nc && !nc.isClosed()) listenToCalls(nc, subject)
    },
    async askEach(subject, withinMs) {
      if (!nc || !connected) throw away()
      const heard: unknown[] = []
      const options = { strategy: RequestStrategy.Timer, maxWait: withinMs } as const
      try {
        for await (const message of await nc.requestMany(names.question(subject), undefined, options)) {
          if (message instanceof Error) break
          heard.push(JSON.parse(text.decode(message.data)) as unknown)
        }
      } catch (error) {
        // Nobody listens.
        log.debug({ subject, reason: messageOf(error) }, 'nobody answered')
      }
      return heard
    },
    async *events(entity, id, options) {
      if (!nc || !connected) throw away()
      yield* readEvents(nc, names, entity, id, options)
    },
    async close() {
      closing.abort()
      await nc?.drain().catch(() => undefined)
      await nc?.close().catch(() => undefined)
      await startup
    },
  }
}
