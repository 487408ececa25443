/** Messages that come twice, late, and in another order than they were sent, on the services' own queues. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type JobSubject, subjects } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { patience } from '@stateeval/testkit'
import { connect } from 'nats'
import { buildBusNames as namesOf } from '../../packages/service-kit/src/bus/names.ts'

/** Messages that are remembered. */
const remembered = 400
const kinds: readonly JobSubject[] = Object.values(subjects)

export interface Messages {
  /**
   * Publishes some of the last messages once more, in random order, over so many milliseconds; gives how many
   * the queue took.
   */
  repeat(count: number, draw: number, ms: number): Promise<number>
  /**
   * Takes jobs from the queues as a worker would, and hands them back with delays of up to so many
   * milliseconds; gives how many.
   */
  hold(count: number, draw: number, ms: number): Promise<number>
  close(): Promise<void>
}

export async function watchMessages(url: string, namespace: string): Promise<Messages> {
  const nc = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 250 })
  const stream = nc.jetstream({ timeout: patience(2000) })
  const names = namesOf(namespace)
  const last: { subject: string; data: Uint8Array }[] = []
  nc.subscribe(`${namespace}.jobs.>`, {
    callback: (_, { subject, data }) => {
      last.push({ subject, data })
      if (last.length > remembered) last.shift()
    },
  })
  return {
    async repeat(count, draw, ms) {
      const selection = createRng(draw).sample(last, count)
      let repeats = 0
      for (const { subject, data } of selection) {
        // It is refused where the first one is queued still: such a message is no repetition.
        await stream.publish(subject, data).then(
          () => repeats++,
          () => undefined,
        )
        await sleep(ms / count)
      }
      return repeats
    },
    async hold(count, draw, ms) {
      const rng = createRng(draw)
      const hold = async (kind: JobSubject) => {
        try {
          const consumer = await stream.consumers.get(names.jobs, names.consumer(kind))
          let heldCount = 0
          for await (const message of await consumer.fetch({ max_messages: count, expires: 1000 })) {
            message.nak(rng.int(1, ms))
            heldCount++
          }
          return heldCount
        } catch {
          return 0 // The server is away.
        }
      }
      return (await Promise.all(kinds.map(hold))).reduce((sum, heldCount) => sum + heldCount, 0)
    },
    close: () => nc.close(),
  }
}
