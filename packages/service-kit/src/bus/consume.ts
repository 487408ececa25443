/** Slots that pull and handle jobs of one kind, until they are stopped. */
import type { JobSubject } from '@stateeval/contracts'
import type { NatsConnection } from 'nats'
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import { pause } from '../time.ts'
import type { Delivery } from './delivery.ts'
import type { Names } from './names.ts'
import { openPuller, type Puller } from './pull.ts'
import { ackWaitMs as defaultAckWaitMs, ensureConsumer } from './streams.ts'

/** Where nothing is delivered, the consumer is looked at again after this time, in milliseconds. */
const recheckMs = 15_000

export interface Consuming {
  /** Takes no more jobs; what was on its way goes back to the queue. Resolves before handlers are done. */
  stop(): Promise<void>
  /** Resolves when all handlers are done after a stop. */
  finished: Promise<void>
}
interface ConsumeContext {
  /** The live connection, and a signal that fires when it drops; null once the signal is aborted. */
  connection: (signal: AbortSignal) => Promise<{ nc: NatsConnection; dropSignal: AbortSignal } | null>
  names: Names
  /** What the subjects of answers begin with. */
  inbox: string
  subject: JobSubject
  concurrency: number
  ackWaitMs?: number
  log: Log
}

export function consume(context: ConsumeContext, handle: (delivery: Delivery) => Promise<void>): Consuming {
  const { connection, names, inbox, subject, concurrency, log, ackWaitMs = defaultAckWaitMs } = context
  const stopping = new AbortController()
  let puller: { of: AbortSignal; puller: Puller } | undefined
  let ensuredFor: AbortSignal | undefined
  let ensuring: Promise<void> | undefined
  let ensuredAt = 0

  /** Once a connection, and again while nothing is delivered; for all slots together. */
  const ensure = (nc: NatsConnection, dropSignal: AbortSignal) => {
    if (ensuredFor !== dropSignal || !ensuring) {
      ensuredFor = dropSignal
      ensuredAt = performance.now()
      ensuring = nc.jetstreamManager({ timeout: 2000 }).then(async (jsm) => {
        if (await ensureConsumer(jsm, names, subject, ackWaitMs))
          log.warn({ subject }, 'the consumer stood ahead of its stream, and was replaced')
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
  const slot = async () => {
    while (!stopping.signal.aborted) {
      const live = await connection(stopping.signal)
      if (!live) return
      try {
        await ensure(live.nc, live.dropSignal)
      } catch (error) {
        ensuring = undefined
        log.warn({ subject, reason: messageOf(error) }, 'the queue is not ready yet')
        await pause(500, stopping.signal)
        continue
      }
      if (stopping.signal.aborted) return
      const pulled = await pullerOn(live.nc, live.dropSignal).pull()
      if (pulled.kind === 'job') {
        if (stopping.signal.aborted) pulled.delivery.nak()
        else await handle(pulled.delivery)
      } else if (pulled.kind === 'trouble') {
        ensuring = undefined
        await pause(500, stopping.signal)
      } else if (performance.now() - ensuredAt > recheckMs) ensuring = undefined
    }
  }
  const slots = Array.from({ length: concurrency }, slot)
  return {
    finished: Promise.all(slots).then(() => undefined),
    async stop() {
      stopping.abort()
      await puller?.puller.cancel()
    },
  }
}
