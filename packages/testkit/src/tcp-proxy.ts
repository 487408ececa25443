/**
 * A TCP proxy between a service and a server, with which a test makes the network slow, silent or broken.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

interface Weather {
  /** Each chunk arrives so much later, in milliseconds. */
  latencyMs: number
  /** Bytes a second in each direction of each connection. */
  bytesPerSecond: number
  /** Connections are taken and kept, and nothing passes. */
  silent: boolean
  /** New connections are ended at once. */
  refusing: boolean
}
const clear: Weather = { latencyMs: 0, bytesPerSecond: Infinity, silent: false, refusing: false }

export interface TcpProxy {
  readonly port: number
  /** Changes the weather; what is not named becomes clear. */
  set(weather?: Partial<Weather>): void
  /** Ends all connections, without a farewell. */
  cut(): void
  close(): Promise<void>
}

/** `target` returns the destination of each connection. */
export async function startTcpProxy(target: () => { host: string; port: number }): Promise<TcpProxy> {
  let weather = clear
  let changed = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const passed = async (chunk: Buffer) => {
    while (weather.silent) await changed.promise
    const { latencyMs, bytesPerSecond } = weather
    const ms = latencyMs + (chunk.length / bytesPerSecond) * 1000
    if (ms > 0) await sleep(ms)
  }
  /** Passes bytes on in their order, when the weather lets them. */
  const passing = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        void passed(chunk).then(() => done(null, chunk))
      },
    })
  const server: Server = createServer((near) => {
    keep(near)
    if (weather.refusing) return void near.resetAndDestroy()
    const far = keep(connect({ ...target(), noDelay: true }))
    near.setNoDelay(true)
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).once('close', end)
    near.pipe(passing()).pipe(far)
    far.pipe(passing()).pipe(near)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const set = (next: Partial<Weather> = {}) => {
    weather = { ...clear, ...next }
    const { resolve } = changed
    changed = Promise.withResolvers()
    resolve()
  }
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    set,
    cut,
    async close() {
      set()
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
