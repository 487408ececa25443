/**
 * The connections of a run to its world. The host accepts them in the jail’s network namespace. Their
 * number and their total bytes in both directions are bounded, because the host buffers much of them.
 */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** How often they are counted while it runs, in milliseconds; at its end they are counted for certain. */
const countEveryMs = 25

export class JailConnections {
  readonly #sockets = new Set<Socket>()
  readonly #limit: number
  readonly #maxBytes: number
  readonly #accept: ((connection: Duplex) => void) | undefined
  readonly #exceed: () => void
  #count = 0
  #bytesOfEnded = 0
  #counting: NodeJS.Timeout | undefined
  #closed = false
  #emptied: (() => void) | undefined
  constructor(
    max: { connections: number; bytes: number },
    accept: ((connection: Duplex) => void) | undefined,
    exceed: () => void,
  ) {
    this.#limit = max.connections
    this.#maxBytes = max.bytes
    this.#accept = accept
    this.#exceed = exceed
  }
  get exceeded(): boolean {
    return this.#count > this.#limit || this.#bytes() > this.#maxBytes
  }
  #bytes(): number {
    let bytes = this.#bytesOfEnded
    for (const { bytesRead, bytesWritten } of this.#sockets) bytes += bytesRead + bytesWritten
    return bytes
  }
  #look() {
    if (!this.exceeded || this.#closed) return
    clearInterval(this.#counting)
    this.#exceed()
  }
  take(socket: Socket) {
    this.#count++
    this.#counting ??= setInterval(() => this.#look(), countEveryMs)
    this.#look()
    // Accepted by a server that isn’t an HTTP server: answers in two writes would wait for an acknowledgement
    // in between.
    socket.setNoDelay(true)
    this.#sockets.add(socket)
    socket
      .on('error', () => {})
      .on('close', () => {
        this.#sockets.delete(socket)
        this.#bytesOfEnded += socket.bytesRead + socket.bytesWritten
        if (this.#sockets.size === 0) this.#emptied?.()
      })
    if (this.#closed || !this.#accept) socket.destroy()
    else this.#accept(socket)
  }
  /** No more of them; those that are open are read to their end first, for as long as that may take. */
  async close(graceMs: number) {
    if (this.#sockets.size > 0 && graceMs > 0) {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        new Promise<void>((resolve) => (this.#emptied = resolve)),
        new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs))),
      ])
      clearTimeout(timer)
    }
    this.#closed = true
    clearInterval(this.#counting)
    for (const socket of this.#sockets) socket.destroy()
  }
}
