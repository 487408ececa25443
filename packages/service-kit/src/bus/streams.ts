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
import type { Names } from './names.ts'

const hours = (n: number) => nanos(n * 3_600_000)

export async function ensureStreams(jsm: JetStreamManager, namespace: string, names: Names): Promise<void> {
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
      max_age: hours(24),
      max_msgs: 200_000,
      max_msgs_per_subject: 1000,
    },
    {
      name: names.dead,
      subjects: [`${namespace}.dead.>`],
      max_age: hours(24 * 30),
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

/**
 * Creates the consumer of a kind, and replaces one that stands ahead of its stream. That is what a server
 * has after its disk was full, or after it lost the end of a stream: the stream counts from an earlier
 * number, and such a consumer never delivers what is queued. Returns whether it was replaced. Jobs in
 * progress are delivered again.
 */
export async function ensureConsumer(
  jsm: JetStreamManager,
  names: Names,
  subject: JobSubject,
  waitMs: number,
): Promise<boolean> {
  await addConsumer(jsm, names, subject, waitMs)
  if (!(await isAhead(jsm, names, subject))) return false
  await jsm.consumers.delete(names.jobs, names.consumer(subject)).catch((error: unknown) => {
    // Another replica has done so.
    if (!/not found/.test(String(error))) throw error
  })
  await addConsumer(jsm, names, subject, waitMs)
  return true
}

async function isAhead(jsm: JetStreamManager, names: Names, subject: JobSubject): Promise<boolean> {
  // The consumer first: what the stream gets meanwhile only brings it forward.
  const { delivered } = await jsm.consumers.info(names.jobs, names.consumer(subject))
  const { state } = await jsm.streams.info(names.jobs)
  return delivered.stream_seq > state.last_seq
}

async function addConsumer(
  jsm: JetStreamManager,
  names: Names,
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
