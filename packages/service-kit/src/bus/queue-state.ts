/** The state of a queue: jobs not taken yet, jobs in progress, and the age of the oldest. */
import type { JobSubject } from '@stateeval/contracts'
import { type NatsConnection, NatsError, StringCodec } from 'nats'
import type { BusNames } from './names.ts'

export interface QueueState {
  /** Jobs that nobody has taken. */
  waiting: number
  /** Jobs that were taken and not acknowledged. */
  inFlight: number
  /** Number of jobs in flight that were delivered more than once. */
  repeated: number
  /** Age of the oldest waiting job, in milliseconds; 0 where there is none, null where it may not be read. */
  lagMs: number | null
  /** Tells whether a process takes such jobs: it asks for more, or has some in progress. */
  isTaken: boolean
}
const text = StringCodec()

/**
 * Rejects if the broker does not report it. Where this process may not read waiting jobs, it does not try:
 * NATS would log a violation.
 */
export async function readQueueState(
  nc: NatsConnection,
  names: BusNames,
  subject: JobSubject,
  { timeoutMs, mayReadJobs }: { timeoutMs: number; mayReadJobs: boolean },
): Promise<QueueState> {
  const readAge = async (next: NextJob) => (mayReadJobs ? readQueueAge(nc, names, next, timeoutMs) : null)
  const jsm = await nc.jetstreamManager({ timeout: timeoutMs, checkAPI: false })
  const info = await jsm.consumers.info(names.jobs, names.consumer(subject)).catch((error: unknown) => {
    if (error instanceof NatsError && error.api_error?.code === 404) return null
    throw error
  })
  if (!info) {
    // Nobody has ever taken such jobs. Some may wait all the same.
    const { state } = await jsm.streams.info(names.jobs, { subjects_filter: names.kind(subject) })
    const waiting = Object.keys(state.subjects ?? {}).length
    const next = { seq: 1, next_by_subj: names.kind(subject) }
    const lagMs = waiting === 0 ? 0 : await readAge(next)
    return { waiting, inFlight: 0, repeated: 0, lagMs, isTaken: false }
  }
  const { num_pending: waiting, num_ack_pending: inFlight, num_redelivered: repeated, delivered } = info
  const isTaken = info.num_waiting > 0 || inFlight > 0
  if (waiting === 0) return { waiting, inFlight, repeated, lagMs: 0, isTaken }
  const next = { seq: delivered.stream_seq + 1, next_by_subj: names.kind(subject) }
  return { waiting, inFlight, repeated, lagMs: await readAge(next), isTaken }
}

interface NextJob {
  seq: number
  next_by_subj: string
}
async function readQueueAge(
  nc: NatsConnection,
  names: BusNames,
  next: NextJob,
  timeout: number,
): Promise<number | null> {
  const subject = `$JS.API.STREAM.MSG.GET.${names.jobs}`
  try {
    const answer = await nc.request(subject, text.encode(JSON.stringify(next)), { timeout })
    // Absent where it was taken just now.
    const { message } = answer.json<{ message?: { time: string } }>()
    return message ? Math.max(0, Date.now() - Date.parse(message.time)) : 0
  } catch (error) {
    // Rights that somebody else wrote may grant less.
    if (error instanceof NatsError && error.isPermissionError()) return null
    throw error
  }
}
