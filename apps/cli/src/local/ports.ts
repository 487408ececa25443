import { createServer } from 'node:net'

const bound = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })

/** The first of the wished ports that nobody listens on, else a free one; never one of `taken`. */
export async function choosePort(wished: readonly number[], taken: ReadonlySet<number>): Promise<number> {
  for (const port of wished) if (!taken.has(port) && (await bound(port)) !== null) return port
  for (;;) {
    const port = await bound(0)
    if (port !== null && !taken.has(port)) return port
  }
}
