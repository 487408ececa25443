/**
 * Pull requests of one consumer, on one subscription. A free slot requests one job, so no job is held
 * without being worked on; slots that become free together request together. Any slot can do any job:
 * requests are counted, not matched.
 */
import { createInbox, type NatsConnection } from 'nats'
import { type JobDelivery, createDelivery } from './delivery.ts'

type PullResult =
  | { kind: 'job'; delivery: JobDelivery }
  /** Nothing came in time, or the request was taken back. */
  | { kind: 'none' }
  /** The server refuses or is gone: wait a moment before the next. */
  | { kind: 'trouble'; reason: string }

export interface MessagePuller {
  /** Nothing can be pulled any more. */
  readonly closed: boolean
  /** One job for one slot. */
  pull(): Promise<PullResult>
  /** Takes all requests back; jobs that were already sent still arrive. */
  cancel(): Promise<void>
  /** The connection is gone, and the requests with it. */
  forget(): void
}

const expiresMs = 20_000

interface PullSlot {
  settle: (pulled: PullResult) => void
  /** Monotonic milliseconds. */
  since: number
}

export function openPuller(
  nc: NatsConnection,
  stream: string,
  consumer: string,
  inboxPrefix: string,
): MessagePuller {
  const inbox = createInbox(inboxPrefix)
  /** Slots that wait, the oldest first. */
  const waitingSlots: PullSlot[] = []
  /** Number of waiting slots for which nobody has asked yet: the newest ones. */
  let unasked = 0
  let closed = false

  const settle = (count: number, pulled: PullResult) => {
    for (const slot of waitingSlots.splice(0, count)) slot.settle(pulled)
    unasked = Math.min(unasked, waitingSlots.length)
  }
  const settleAll = () => settle(waitingSlots.length, { kind: 'none' })
  const ask = () => {
    if (closed || unasked === 0) return
    nc.publish(
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
      JSON.stringify({ batch: unasked, expires: expiresMs * 1e6 }),
      { reply: `${inbox}.${unasked}` },
    )
    unasked = 0
  }
  const close = () => {
    closed = true
    clearInterval(watch)
  }
  const sub = nc.subscribe(`${inbox}.*`, {
    callback: (error, msg) => {
      if (error) {
        close()
        return settle(waitingSlots.length, { kind: 'trouble', reason: error.message })
      }
      const code = msg.headers?.code ?? 0
      if (code === 0) {
        const job = createDelivery(nc, msg)
        const slot = waitingSlots.shift()
        unasked = Math.min(unasked, waitingSlots.length)
        // Its request was given up as forgotten, and was not.
        if (!slot) return job.nak()
        return slot.settle({ kind: 'job', delivery: job })
      }
      // For how many jobs the request is over: of one that was not taken at all, as many as its subject says.
      const pendingText = msg.headers?.get('Nats-Pending-Messages') || msg.subject.slice(inbox.length + 1)
      settle(
        Number(pendingText),
        code === 404 || code === 408
          ? { kind: 'none' }
          : { kind: 'trouble', reason: `${code} ${msg.headers?.description ?? ''}` },
      )
    },
  })
  // The server answers by itself when a request expires; this is for servers that forgot it.
  const watch = setInterval(() => {
    const firstRecent = waitingSlots.findIndex(({ since }) => performance.now() - since < expiresMs + 5000)
    settle(firstRecent < 0 ? waitingSlots.length : firstRecent, { kind: 'none' })
  }, 5000)
  watch.unref()
  return {
    get closed() {
      return closed
    },
    pull() {
      if (closed) return Promise.resolve({ kind: 'none' })
      const { promise, resolve } = Promise.withResolvers<PullResult>()
      waitingSlots.push({ settle: resolve, since: performance.now() })
      if (unasked++ === 0) setImmediate(ask)
      return promise
    },
    async cancel() {
      close()
      // Draining ends interest at the server and still hands out what it sent before.
      await sub.drain().catch(() => undefined)
      settleAll()
    },
    forget() {
      close()
      sub.unsubscribe()
      settleAll()
    },
  }
}
