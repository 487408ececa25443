/** `world serve`: a modelled world as an HTTP server on this machine. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LiveRequest, ModelledWorld } from '@stateeval/world-model'

export interface ServedWorld {
  url: string
  stop(): Promise<void>
}
interface ServeOptions {
  /** 0 takes a free one. */
  port: number
  /** The request that empties the world. */
  reset?: LiveRequest
}

/** Limit of a body in bytes. */
const maxBytes = 2 ** 20

/** Rejects where the port is taken. Only this machine reaches it. */
export async function serveWorld(world: ModelledWorld, { port, reset }: ServeOptions): Promise<ServedWorld> {
  const { answerMessage, formatReply } = await import('@stateeval/world-model')
  const answer = async (message: IncomingMessage) => {
    const text = await readBody(message)
    if (text === null) return formatReply(413)
    const { method = 'GET', url = '/', headers } = message
    if (reset && method === reset.method && url.split('?')[0] === reset.path) {
      world.reset()
      return formatReply(204)
    }
    return answerMessage(world, { method, url, type: headers['content-type'], text })
  }
  const server = createServer((message, response) => {
    answer(message).then(
      ({ status, text }) => {
        response.writeHead(status, text === undefined ? {} : { 'content-type': 'application/json' })
        response.end(text)
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The body as text; null where it is too large. */
async function readBody(message: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of message as AsyncIterable<Buffer>) {
    length += part.length
    if (length > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
