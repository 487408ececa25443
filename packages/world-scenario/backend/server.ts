/** Serves the connections of a run; nothing listens anywhere. */
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { formatReply } from '@stateeval/world-model'
import type { ModelRun } from './run.ts'

/** The largest body of a request, in bytes. */
const maxBytes = 262_144

interface RunServer {
  accept(connection: Duplex): void
  /** Resolves when the requests that have arrived are answered. */
  settle(): Promise<void>
  close(): void
}

export function createRunServer(run: ModelRun): RunServer {
  const connections = new Set<Duplex>()
  const server = createServer((request, response) => {
    // Node would write the machine's time.
    response.sendDate = false
    readBody(request).then(
      (body) => {
        const { method = '', url = '', headers } = request
        const message = { method, url, type: headers['content-type'], text: body ?? '' }
        const reply = body === null ? formatReply(413) : run.answer(message)
        if (body === null) run.note(message, reply)
        const { status, text } = reply
        if (text !== undefined)
          response.setHeaders(
            new Map([
              ['content-type', 'application/json'],
              ['content-length', String(Buffer.byteLength(text))],
            ]),
          )
        response.writeHead(status).end(text)
      },
      () => response.destroy(),
    )
  })
  return {
    accept(connection) {
      // A client may vanish at any time; that is its own affair.
      connection.on('error', () => connection.destroy())
      connections.add(connection)
      connection.once('close', () => connections.delete(connection))
      server.emit('connection', connection)
    },
    async settle() {
      // Bytes that have arrived but were not read yet are read in the next turns of the loop.
      for (let turn = 0; turn < 3; turn++) await setImmediate()
    },
    close() {
      for (const connection of connections) connection.destroy()
    },
  }
}

/** The body as text; null where it is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length <= maxBytes) parts.push(part)
  }
  return length > maxBytes ? null : Buffer.concat(parts).toString('utf8')
}
