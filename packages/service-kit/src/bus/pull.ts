/**
 * One pull request for one job. Pulling one at a time for each free slot never holds a job that isn't being worked on,
 * and a request can be taken back without losing a job that is already on its way.
 */
import { createInbox, type NatsConnection } from 'nats'
import { type Delivery, delivery } from './delivery.ts'

type Pulled =
  | { kind: 'job'; delivery: Delivery }
  /** Nothing came in time, or the request was taken back. */
  | { kind: 'none' }
  /** The server refuses or is gone: wait a moment before the next. */
  | { kind: 'trouble'; reason: string }

export interface Pull {
  answer: Promise<Pulled>
  /** Takes the request back; a job that was already sent still arrives. */
  cancel(): Promise<void>
  /** The connection is gone, and the request with it. */
  forget: () => void
}

const expiresMs = 20_000

export function pullOne(nc: NatsConnection, stream: string, consumer: string): Pull {
  const { promise, resolve } = Promise.withResolvers<Pulled>()
  const inbox = createInbox()
  const settle = (pulled: Pulled) => {
    clearTimeout(timer)
    resolve(pulled)
  }
  // The server answers by itself when the request expires; this is for servers that forgot it.
  const timer = setTimeout(() => settle({ kind: 'none' }), expiresMs + 5000)
  timer.unref()
  const sub = nc.subscribe(inbox, {
    max: 1,
    callback: (error, msg) => {
      if (error) return settle({ kind: 'trouble', reason: error.message })
      const code = msg.headers?.code ?? 0
      if (code === 404 || code === 408) return settle({ kind: 'none' })
      if (code >= 400) return settle({ kind: 'trouble', reason: `${code} ${msg.headers?.description ?? ''}` })
      settle({ kind: 'job', delivery: delivery(nc, msg) })
    },
  })
  nc.publish(
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
    JSON.stringify({ batch: 1, expires: expiresMs * 1e6 }),
    { reply: inbox },
  )
  return {
    answer: promise,
    async cancel() {
      // Draining ends interest at the server and still hands out what it sent before.
      await sub.drain().catch(() => undefined)
      settle({ kind: 'none' })
    },
    forget() {
      sub.unsubscribe()
      settle({ kind: 'none' })
    },
  }
}
