/**
 * Ports that are chosen before another process listens on them. A chosen port is claimed until that process
 * has it: choosers that start at once never choose the same one.
 */
import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { createServer } from 'node:net'

/**
 * A system gives connections that go out the ports above: who listens there may not find its port free when
 * it starts again.
 */
const [lowest, above] = [20_000, 32_768]
const host = '127.0.0.1'

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })

export interface ClaimedPort {
  readonly port: number
  /** Call this when its process listens. The end of the claiming process releases it, too. */
  release(this: void): void
}

/**
 * Binds the same port of UDP, which no process of the suite listens on: the kernel gives it to one claimer
 * and takes it back however that one ends. Null where another has it.
 */
function bindClaim(port: number): Promise<ClaimedPort | null> {
  return new Promise((resolve) => {
    const socket: Socket = createSocket({ type: 'udp4', reuseAddr: false })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      socket.close()
      // A system without UDP has no claims, and is none to wait for.
      resolve(code === 'EADDRINUSE' ? null : { port, release: () => undefined })
    })
    socket.bind({ port, address: host, exclusive: true }, () => {
      socket.unref()
      let isClaimed = true
      const release = () => {
        if (isClaimed) socket.close()
        isClaimed = false
      }
      resolve({ port, release })
    })
  })
}

/** The first of the wished ports that nobody listens on or claims, else a free one; none of `takenPorts`. */
export async function claimFreePort(
  wishedPorts: readonly number[] = [],
  takenPorts: ReadonlySet<number> = new Set(),
): Promise<ClaimedPort> {
  const tryPort = async (port: number) => {
    const claimed = takenPorts.has(port) ? null : await bindClaim(port)
    // Looked at once it is claimed: whoever listens there by then has it, and nobody else will.
    if (claimed && (await isFree(port))) return claimed
    claimed?.release()
    return null
  }
  for (const port of wishedPorts) {
    const claimed = await tryPort(port)
    if (claimed) return claimed
  }
  for (;;) {
    const claimed = await tryPort(randomInt(lowest, above))
    if (claimed) return claimed
  }
}
