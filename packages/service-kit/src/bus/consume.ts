/** Slots that pull and handle jobs of one kind, until they are stopped. */
import type { JobOutcome, JobReply, JobSubject } from '@stateeval/contracts'
import type { NatsConnection } from 'nats'
import { createBackOff } from '../back-off.ts'
import { getErrorText } from '../errors.ts'
import type { ServiceLog } from '../log.ts'
import type { JobDelivery } from './delivery.ts'
import type { BusNames } from './names.ts'
import { openPuller, type MessagePuller } from './pull.ts'
import { ackWaitMs as defaultAckWaitMs, type ConsumerLook, ensureConsumer } from './streams.ts'

/** Time without a delivery after which the consumer is looked at again, in milliseconds. */
const recheckMs = 15_000

export interface QueueConsumer {
  /** Takes no more jobs; what was on its way goes back to the queue. Resolves before handlers are done. */
  stop(): Promise<void>
  /** Resolves when all handlers are done after a stop. */
  finished: Promise<void>
  /** For how long slots have been free while nothing was delivered, in milliseconds. */
  idleMs(): number
  /** Looks at the consumer again before the next pull. */
  recheck(): void
}
interface ConsumeContext {
  /** The live connection, and a signal that fires when it drops; null once the signal is aborted. */
  connection: (signal: AbortSignal) => Promise<{ nc: NatsConnection; dropSignal: AbortSignal } | null>
  names: BusNames
  /** Prefix of the subjects of answers. */
  inbox: string
  subject: JobSubject
  concurrency: number
  ackWaitMs?: number
  log: ServiceLog
}

/**
 * Resolves to why it could not work, if a server that it needs is away: no slot then takes another job at
 * once.
 */
export type HandleDelivery = (delivery: JobDelivery) => Promise<string | void>

export function createConsumer(context: ConsumeContext, handle: HandleDelivery): QueueConsumer {
  const { connection, names, inbox, subject, concurrency, log, ackWaitMs = defaultAckWaitMs } = context
  const stopping = new AbortController()
  const backOff = createBackOff({
    report: ({ reason, ...trouble }) =>
      log.warn({ subject, reason, ...trouble }, 'jobs cannot be taken or done now; waiting'),
  })
  let puller: { of: AbortSignal; puller: MessagePuller } | undefined
  let ensuredFor: AbortSignal | undefined
  let ensuring: Promise<void> | undefined
  let ensuredAt = 0
  let lastLook: ConsumerLook | undefined

  /** Once a connection, and again while nothing is delivered; for all slots together. */
  const ensure = (nc: NatsConnection, dropSignal: AbortSignal) => {
    if (ensuredFor !== dropSignal || !ensuring) {
      ensuredFor = dropSignal
      ensuredAt = performance.now()
      ensuring = nc.jetstreamManager({ timeout: 2000 }).then(async (jsm) => {
        const { look, replaced } = await ensureConsumer(jsm, names, subject, ackWaitMs, lastLook)
        lastLook = replaced === null ? look : undefined
        if (replaced !== null)
          log.warn({ subject }, `the queue delivered nothing: ${replaced}, and was replaced`)
      })
    }
    return ensuring
  }
  /** One for a connection. */
  const pullerOn = (nc: NatsConnection, dropSignal: AbortSignal) => {
    if (puller?.of === dropSignal && !puller.puller.closed) return puller.puller
    const newPuller = openPuller(nc, names.jobs, names.consumer(subject), inbox)
    dropSignal.addEventListener('abort', () => newPuller.forget(), { once: true })
    puller = { of: dropSignal, puller: newPuller }
    return newPuller
  }
  let pulling = 0
  let idleSince = performance.now()
  const pull = async (from: MessagePuller) => {
    if (pulling++ === 0) idleSince = performance.now()
    const pulled = await from.pull()
    pulling--
    if (pulled.kind === 'job') idleSince = performance.now()
    return pulled
  }
  const answerProbe = (nc: NatsConnection, delivery: JobDelivery) => {
    const { message } = delivery
    const to = message?.replyTo
    if (to && 'inbox' in to && !nc.isClosed()) {
      const outcome: JobOutcome = { status: 'done', value: { inline: null } }
      const reply: JobReply = { correlation: to.correlation, jobId: message.id, outcome }
      nc.publish(names.inbox(to.inbox), JSON.stringify(reply))
    }
    delivery.ack()
  }
  const slot = async () => {
    while (!stopping.signal.aborted) {
      const live = await connection(stopping.signal)
      if (!live) return
      try {
        await ensure(live.nc, live.dropSignal)
      } catch (error) {
        ensuring = undefined
        await backOff.met(getErrorText(error), stopping.signal)
        continue
      }
      if (stopping.signal.aborted) return
      const pulled = await pull(pullerOn(live.nc, live.dropSignal))
      if (pulled.kind === 'job') {
        if (pulled.delivery.isProbe) answerProbe(live.nc, pulled.delivery)
        else if (stopping.signal.aborted) pulled.delivery.nak()
        else {
          const trouble = await handle(pulled.delivery)
          if (trouble) await backOff.met(trouble, stopping.signal)
          else backOff.over()
        }
      } else if (pulled.kind === 'trouble') {
        ensuring = undefined
        await backOff.met(pulled.reason, stopping.signal)
      } else if (performance.now() - ensuredAt > recheckMs) ensuring = undefined
    }
  }
  const slots = Array.from({ length: concurrency }, slot)
  return {
    finished: Promise.all(slots).then(() => undefined),
    idleMs: () => (pulling > 0 ? performance.now() - idleSince : 0),
    recheck: () => (ensuring = undefined),
    async stop() {
      stopping.abort()
      await puller?.puller.cancel()
    },
  }
}
