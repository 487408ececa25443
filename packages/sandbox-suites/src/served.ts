/**
 * For worlds in tests: serves the connections of a run, and knows when every request that arrived is done.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { WorldChannel } from '@stateeval/sandbox'

interface Served {
  channel: WorldChannel
  /** When the requests that have arrived are answered. */
  settled: () => Promise<unknown>
  /** False where it was closed before. */
  close: () => boolean
}

/** A handler that throws breaks its connection. */
export function serve(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => Promise<void>,
): Served {
  const pendingWork = new Set<Promise<void>>()
  const read = async (request: IncomingMessage) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString('utf8')
  }
  const server = createServer((request, response) => {
    const work = read(request)
      .then((body) => handle(request, response, body))
      .catch(() => void response.destroy())
    pendingWork.add(work)
    void work.finally(() => pendingWork.delete(work))
  })
  return {
    channel: { kind: 'http', accept: (connection) => server.emit('connection', connection) },
    settled: () => Promise.all(pendingWork),
    close() {
      const open = server.listenerCount('request') > 0
      server.removeAllListeners('request')
      return open
    },
  }
}
