/** Server-sent events: live progress, with a heartbeat that keeps proxies from closing the connection. */
import type { FastifyReply } from 'fastify'

export interface ServerEvent {
  /** Sent back by the reader as Last-Event-ID when it reconnects. */
  id?: string | number
  event?: string
  data: unknown
}

const heartbeatMs = 15_000
/** A reader who takes nothing during so many heartbeats is gone. */
const patientBeats = 4

const formatServerEvent = ({ id, event, data }: ServerEvent) =>
  `${id === undefined ? '' : `id: ${id}\n`}${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`

/** Writes events until they end or the reader disconnects. */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<ServerEvent>,
  headers: Record<string, string>,
): Promise<void> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.write(': open\n\n')
  let stalledBeats = 0
  const beating = setInterval(() => {
    stalledBeats = raw.writableLength > 0 ? stalledBeats + 1 : 0
    if (stalledBeats >= patientBeats) raw.destroy()
    else if (stalledBeats === 0) raw.write(': still here\n\n')
  }, heartbeatMs)
  try {
    for await (const event of events) {
      if (raw.destroyed) break
      if (!raw.write(formatServerEvent(event))) await waitUntilDrained(raw)
    }
  } catch {
    // The head is sent: ending the stream makes the reader come back with Last-Event-ID.
  } finally {
    clearInterval(beating)
    raw.end()
  }
}

/** Resolves when the reader has taken what was written, or is gone. */
async function waitUntilDrained(raw: NodeJS.EventEmitter): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  raw.once('drain', resolve).once('close', resolve)
  await promise
  raw.off('drain', resolve).off('close', resolve)
}
