/**
 * The three streams, and the durable consumer of each kind of job. They are created on every connection;
 * repeating this changes nothing.
 */
import { isDeepStrictEqual } from 'node:util'
import type { JobSubject } from '@stateeval/contracts'
import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamManager,
  nanos,
  RetentionPolicy,
  type StreamConfig,
} from 'nats'
import type { BusNames } from './names.ts'

const countNanos = (n: number) => nanos(n * 3_600_000)

export async function ensureStreams(
  jsm: JetStreamManager,
  namespace: string,
  names: BusNames,
): Promise<void> {
  const configs: Partial<StreamConfig>[] = [
    {
      name: names.jobs,
      subjects: [`${namespace}.jobs.>`],
      retention: RetentionPolicy.Workqueue,
      // A job that is still queued or in flight can't be queued again, however often a sweep asks for it. A
      // finished one can, at once, which a window of remembered ids would not allow.
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
      // Publishes that are repeated because their answer was late.
      duplicate_window: nanos(2000),
    },
    {
      name: names.events,
      subjects: [`${namespace}.events.>`],
      max_age: countNanos(24),
      max_msgs: 200_000,
      max_msgs_per_subject: 1000,
    },
    {
      name: names.dead,
      subjects: [`${namespace}.dead.>`],
      max_age: countNanos(24 * 30),
      max_msgs: 100_000,
      // One a job: a worker that dies while it gives a job up does so again.
      max_msgs_per_subject: 1,
    },
  ]
  for (const config of configs) await ensureStream(jsm, config)
}

async function ensureStream(jsm: JetStreamManager, config: Partial<StreamConfig>): Promise<void> {
  try {
    // The client adds members to what it is given.
    await jsm.streams.add({ ...config })
  } catch (error) {
    // It exists with another configuration: an older version made it, or its operator added replicas.
    if (!/already in use/.test(String(error))) throw error
    const stored: Partial<StreamConfig> = (await jsm.streams.info(config.name as string)).config
    if (isDeepStrictEqual({ ...stored, ...config }, stored)) return
    await jsm.streams.update(config.name as string, config)
  }
}

/** A dead worker is detected after this time; a live one reports three times as often. */
export const ackWaitMs = 12_000

/** State of a consumer at one look, to be compared with the next look. */
export interface ConsumerLook {
  /**
   * It stands ahead of its stream. That is what a server has after its disk was full, or after it lost the
   * end of a stream: the stream counts from an earlier number, and the consumer never delivers what is
   * queued.
   */
  isAhead: boolean
  /** Messages of its kind that it neither will deliver nor has in progress. */
  leftOut: number
  /** How many deliveries it has made. */
  delivered: number
}

/** Looks at the consumer of a kind. Rejects if there is none. */
export async function readConsumerLook(
  jsm: JetStreamManager,
  names: BusNames,
  subject: JobSubject,
): Promise<ConsumerLook> {
  // The consumer first: what the stream gets meanwhile only brings it forward.
  const { delivered, num_pending, num_ack_pending } = await jsm.consumers.info(
    names.jobs,
    names.consumer(subject),
  )
  // Every job has its own subject. Where some are still to be delivered, they are many, and not in question.
  const filter = num_pending === 0 ? { subjects_filter: names.kind(subject) } : {}
  const { state } = await jsm.streams.info(names.jobs, filter)
  const held = Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0)
  return {
    isAhead: delivered.stream_seq > state.last_seq,
    leftOut: num_pending === 0 ? Math.max(0, held - num_ack_pending) : 0,
    delivered: delivered.consumer_seq,
  }
}

/**
 * Why a consumer will never deliver what is queued; null if it will. Messages that arrive between the two
 * questions of a look count as left out for a moment, so that takes two looks without a delivery in between.
 */
export function findDeliveryFault(look: ConsumerLook, before?: ConsumerLook): string | null {
  if (look.isAhead) return 'its consumer stood ahead of the stream'
  const stays = before !== undefined && before.leftOut > 0 && before.delivered === look.delivered
  return stays && look.leftOut > 0 ? `its consumer left out ${look.leftOut} messages` : null
}

/**
 * Creates the consumer of a kind, and replaces one that will never deliver what is queued. Jobs in progress
 * are delivered again. Returns the look, and why it was replaced.
 */
export async function ensureConsumer(
  jsm: JetStreamManager,
  names: BusNames,
  subject: JobSubject,
  waitMs: number,
  before?: ConsumerLook,
): Promise<{ look: ConsumerLook; replaced: string | null }> {
  await addConsumer(jsm, names, subject, waitMs)
  const look = await readConsumerLook(jsm, names, subject)
  const replaced = findDeliveryFault(look, before)
  if (replaced !== null) {
    await jsm.consumers.delete(names.jobs, names.consumer(subject)).catch((error: unknown) => {
      // Another replica has done so.
      if (!/not found/.test(String(error))) throw error
    })
    await addConsumer(jsm, names, subject, waitMs)
  }
  return { look, replaced }
}

async function addConsumer(
  jsm: JetStreamManager,
  names: BusNames,
  subject: JobSubject,
  waitMs: number,
): Promise<void> {
  const config = {
    durable_name: names.consumer(subject),
    filter_subject: names.kind(subject),
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(waitMs),
    // Counting attempts is the worker's: it stores them, so that a server that is away never costs a job its
    // retries.
    max_deliver: -1,
    max_ack_pending: 10_000,
  }
  try {
    await jsm.consumers.add(names.jobs, config)
  } catch (error) {
    if (!/already (exists|in use)/.test(String(error))) throw error
    await jsm.consumers.update(names.jobs, names.consumer(subject), {
      ack_wait: config.ack_wait,
      max_ack_pending: config.max_ack_pending,
    })
  }
}
