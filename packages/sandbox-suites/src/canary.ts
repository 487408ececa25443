/** Baits for attacks on the host: a secret in several places, and sockets that report anybody who calls. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Canary {
  /** Stands in a file that everybody may read, in this process’s environment and memory. */
  secret: string
  /** For the programs: where to look. */
  variables: Record<string, unknown>
  /** Lists the baits of the host that were touched. */
  touched(): string[]
  close(): Promise<void>
}

export async function createCanary(): Promise<Canary> {
  const secret = `CANARY-${randomBytes(12).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'canary-'))
  chmodSync(folder, 0o777)
  const file = join(folder, 'secret')
  writeFileSync(file, secret, { mode: 0o666 })
  process.env['CANARY'] = secret
  const calls: string[] = []
  const listen = (where: object, name: string) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        calls.push(name)
        socket.end(secret)
      })
      server.listen(where, () => resolve(server))
    })
  const unix = join(folder, 'socket')
  const abstract = `canary-${process.pid}-${randomBytes(4).toString('hex')}`
  const servers = await Promise.all([
    listen({ port: 0, host: '0.0.0.0' }, 'TCP'),
    listen({ path: unix }, 'unix'),
    listen({ path: `\0${abstract}` }, 'abstract'),
  ])
  chmodSync(unix, 0o777)
  const udp = createSocket('udp4').on('message', () => calls.push('UDP'))
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  const { port } = servers[0].address() as { port: number }
  return {
    secret,
    variables: {
      canary: {
        file,
        folder,
        unix,
        abstract,
        port,
        udpPort: udp.address().port,
        pid: process.pid,
        source: import.meta.filename,
        freePort: port + 1,
      },
    },
    touched: () => [
      ...calls,
      ...readdirSync(folder).filter((name) => !['secret', 'socket'].includes(name)),
      ...(readFileSync(file, 'utf8') === secret ? [] : ['the file']),
    ],
    async close() {
      delete process.env['CANARY']
      for (const server of servers) server.close()
      udp.close()
      rmSync(folder, { recursive: true })
    },
  }
}
