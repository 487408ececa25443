import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A system gives connections that go out the ports above: who listens there may not find its port free when
 * it starts again.
 */
const [lowest, above] = [20_000, 32_768]

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })

/** The first of the wished ports that nobody listens on, else a free one; never one of `takenPorts`. */
export async function choosePort(
  wishedPorts: readonly number[],
  takenPorts: ReadonlySet<number>,
): Promise<number> {
  for (const port of wishedPorts) if (!takenPorts.has(port) && (await isFree(port))) return port
  for (;;) {
    const port = randomInt(lowest, above)
    if (!takenPorts.has(port) && (await isFree(port))) return port
  }
}
