/**
 * Answers that come while a request is still arriving, as refusals of large bodies do. A connection that is
 * closed with bytes unread is reset, and the answer is lost on its way. So the caller first learns that
 * nothing follows, and the service reads and discards what it still sends for a while.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'

export interface LingerBounds {
  /** After the answer has left, in milliseconds. */
  ms: number
  /** More is not read: the caller has to wait. */
  bytes: number
  /** At a time; beyond them, the one that has had the most time goes. */
  sockets: number
}
/** A caller that reads its answer only after it has sent everything may exceed any limit by so much. */
const usualBounds: LingerBounds = { ms: 5000, bytes: 128 * 2 ** 20, sockets: 256 }
/** A connection is kept where so much of a refused body may follow. */
const bytesToKeep = 64 * 1024

/** Connections that were answered for the last time. */
export class LingeringSockets {
  readonly #bounds: LingerBounds
  readonly #sockets = new Set<Socket>()

  constructor(bounds: LingerBounds = usualBounds) {
    this.#bounds = bounds
  }

  /** Closes it so that what was written arrives. */
  close(socket: Socket): void {
    if (socket.writableFinished) this.#linger(socket)
    else socket.once('finish', () => this.#linger(socket)).end()
  }

  #linger(socket: Socket): void {
    if (socket.destroyed || this.#sockets.has(socket)) return
    const { ms, bytes, sockets } = this.#bounds
    const timer = setTimeout(() => socket.destroy(), ms)
    this.#sockets.add(socket)
    socket.once('close', () => {
      clearTimeout(timer)
      this.#sockets.delete(socket)
    })
    // It may be paused, which only its parser undoes; from then on no request of it is parsed.
    socket.resume()
    process.nextTick(discardBytes, socket, bytes)
    if (this.#sockets.size > sockets) for (const oldest of this.#sockets) return void oldest.destroy()
  }
}

/** Reads so many bytes, and no more. */
function discardBytes(socket: Socket, most: number): void {
  let left = most
  socket.removeAllListeners('data')
  socket.on('data', ({ length }) => {
    left -= length
    if (left <= 0) socket.pause()
  })
}

/** Applies to every connection of the app, however it comes to its last answer. */
export function lingerOnClose(app: FastifyInstance): void {
  const lingering = new LingeringSockets()
  const { server } = app
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    // Node calls it when the last answer was written.
    socket.destroySoon = () => lingering.close(socket)
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    if (coding === undefined && Number(length) <= bytesToKeep) return
    // Node would read all of it before the next request.
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    request.once('end', () => (response.shouldKeepAlive = shouldKeepAlive))
  })
}
