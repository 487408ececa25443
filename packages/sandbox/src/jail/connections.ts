/** The connections that a run makes to its world. They are accepted by the host, in the jail’s network namespace. */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export class Connections {
  readonly #sockets = new Set<Socket>()
  readonly #limit: number
  readonly #accept: ((connection: Duplex) => void) | undefined
  readonly #exceed: () => void
  #count = 0
  #closed = false
  #emptied: (() => void) | undefined
  constructor(limit: number, accept: ((connection: Duplex) => void) | undefined, exceed: () => void) {
    this.#limit = limit
    this.#accept = accept
    this.#exceed = exceed
  }
  take(socket: Socket) {
    if (++this.#count > this.#limit) this.#exceed()
    // Accepted by a server that isn’t an HTTP server: answers in two writes would wait for an acknowledgement in between.
    socket.setNoDelay(true)
    this.#sockets.add(socket)
    socket
      .on('error', () => {})
      .on('close', () => {
        this.#sockets.delete(socket)
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
    for (const socket of this.#sockets) socket.destroy()
  }
}
