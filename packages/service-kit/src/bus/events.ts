/** Events of an entity, read from the stream: new ones, or from a position that the reader remembers. */
import { DeliverPolicy, type NatsConnection } from 'nats'
import type { Names } from './names.ts'

export interface BusEvent {
  /** The place in the stream; a reader that comes back goes on after it. */
  sequence: number
  what: string
  data: unknown
}
export interface EventOptions {
  signal: AbortSignal
  /** Sequence of the last event that was seen, or 'start' for all that are kept; default: from now on. */
  after?: number | 'start'
}

export async function* readEvents(
  nc: NatsConnection,
  names: Names,
  entity: string,
  id: string,
  { signal, after }: EventOptions,
): AsyncIterable<BusEvent> {
  const from =
    after === undefined
      ? { deliver_policy: DeliverPolicy.New }
      : after === 'start'
        ? { deliver_policy: DeliverPolicy.All }
        : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }
  const consumer = await nc
    .jetstream()
    .consumers.get(names.events, { filterSubjects: [names.event(entity, id, '*')], ...from })
  const messages = await consumer.consume({ max_messages: 100 })
  const stop = () => void messages.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) return
    for await (const message of messages) {
      yield { sequence: message.seq, what: message.subject.split('.').at(-1) as string, data: message.json() }
      if (signal.aborted) return
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await messages.close()
  }
}
