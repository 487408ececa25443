/**
 * Events of an entity, or of all entities of its kind, read from the stream: new ones, or from a position
 * that the reader remembers.
 */
import { DeliverPolicy, type NatsConnection, type OrderedConsumerOptions } from 'nats'
import type { BusNames } from './names.ts'

export interface BusEvent {
  /** The place in the stream; a reader that comes back continues after it. */
  sequence: number
  /** When the broker took it. */
  at: Date
  /** The entity that it happened to. */
  id: string
  what: string
  data: unknown
}
export interface EventOptions {
  signal: AbortSignal
  /**
   * Sequence of the last event that was seen, a time from which on events are wanted, or 'start' for all that
   * are kept; default: from now on.
   */
  after?: number | Date | 'start'
}

function buildConsumerPolicy(after: EventOptions['after']): Partial<OrderedConsumerOptions> {
  if (after === undefined) return { deliver_policy: DeliverPolicy.New }
  if (after === 'start') return { deliver_policy: DeliverPolicy.All }
  if (after instanceof Date)
    return {
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: after.toISOString(),
    }
  return {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: after + 1,
  }
}

/** Reads events of one entity, or of all of its kind: '*'. */
export async function* readEvents(
  nc: NatsConnection,
  names: BusNames,
  entity: string,
  id: string,
  { signal, after }: EventOptions,
): AsyncIterable<BusEvent> {
  const consumer = await nc.jetstream().consumers.get(names.events, {
    filterSubjects: [names.event(entity, id, '*')],
    ...buildConsumerPolicy(after),
  })
  const messages = await consumer.consume({ max_messages: 100 })
  const stop = () => void messages.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) return
    for await (const message of messages) {
      const [about = '', what = ''] = message.subject.split('.').slice(-2)
      yield {
        sequence: message.seq,
        at: new Date(message.info.timestampNanos / 1e6),
        id: about,
        what,
        data: message.json(),
      }
      if (signal.aborted) return
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await messages.close()
  }
}
