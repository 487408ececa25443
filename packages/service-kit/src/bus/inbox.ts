/**
 * Jobs whose outcome one process awaits, such as the steps of an episode over HTTP. The job is on its queue
 * like any other; its outcome returns directly, without another queue. Lost messages are requested again:
 * the worker recognises the job's id.
 */
import {
  type JobOutcome,
  type JobReply,
  type JobSubject,
  type JobPayload,
  ProblemError,
} from '@stateeval/contracts'
import { type NatsConnection, StringCodec } from 'nats'
import { qualifyName } from '../access/project.ts'
import { drawRandomHex } from '../random.ts'
import type { JsonWritten } from '../written.ts'
import type { OutgoingJob } from './index.ts'

/**
 * After so long without an answer the job is queued again, in milliseconds: longer than the broker drops what
 * is published twice.
 */
const againMs = 2500

interface ReplyInbox {
  /** Hears answers over this connection from now on. */
  listen(connection: NatsConnection): void
  /** See `Bus.request`. */
  request(
    subject: JobSubject,
    job: { id: string; payload: JobPayload | JsonWritten; probe?: true },
    signal: AbortSignal,
  ): Promise<JobOutcome>
}

export function createInbox(
  service: string,
  subjectOf: (inbox: string) => string,
  publish: (subject: JobSubject, job: OutgoingJob) => Promise<void>,
): ReplyInbox {
  const inbox = `${service}.${drawRandomHex(12)}`
  const text = StringCodec()
  /** Callers that wait for a job's end, by the job's id in its project. */
  const waiting = new Map<string, Set<(outcome: JobOutcome) => void>>()

  function take(data: Uint8Array): void {
    const { correlation, outcome } = JSON.parse(text.decode(data)) as JobReply
    for (const settle of waiting.get(correlation) ?? []) settle(outcome)
  }

  return {
    listen: (connection) =>
      void connection.subscribe(subjectOf(inbox), {
        callback: (error, message) => {
          if (!error) take(message.data)
        },
      }),
    async request(subject, { id, ...job }, signal) {
      const correlation = qualifyName(id)
      const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>()
      const settlers = waiting.get(correlation) ?? new Set()
      waiting.set(correlation, settlers.add(resolve))
      const ask = () => void publish(subject, { id, ...job, replyTo: { inbox, correlation } }).catch(reject)
      const stop = () =>
        reject(new ProblemError('unavailable', 'the service is stopping; send the request again'))
      const timer = setInterval(ask, againMs)
      signal.addEventListener('abort', stop, { once: true })
      try {
        if (signal.aborted) stop()
        else ask()
        return await promise
      } finally {
        clearInterval(timer)
        signal.removeEventListener('abort', stop)
        settlers.delete(resolve)
        if (settlers.size === 0) waiting.delete(correlation)
      }
    },
  }
}
