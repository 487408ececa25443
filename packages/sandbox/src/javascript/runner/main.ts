/**
 * The process inside the jail: it opens the port that candidates call, hands the listening socket to the
 * host, then takes one job, runs it, and says how it ended. Candidate code shares this process, so nothing
 * here is secret and nothing that it says is believed without a check.
 */
import { readSync } from 'node:fs'
import { createServer } from 'node:net'
import { frameFd, type Job } from '../../protocol.ts'
import { forward } from './forward.ts'
import { run } from './run.ts'

/**
 * Starts the jail’s life. The first argument is the port; `none` for a world without HTTP; `PORT:PATH` where
 * connections are forwarded to a unix socket, and then `given:PORT` for the runner.
 */
export function main() {
  const [port = 'none', rest] = (process.argv[2] ?? 'none').split(':')
  if (rest?.startsWith('/')) return forward(Number(port), rest)
  // The host disconnects once it holds the listening socket: from then on, code that isn’t ours may run.
  process.once('disconnect', () => {
    for (const name of ['send', 'disconnect', 'channel', 'connected'] as const)
      delete (process as Partial<NodeJS.Process>)[name]
    run(readJob())
  })
  // As where it is the first process: what Node prints names it.
  if (rest !== undefined)
    for (const [name, value] of Object.entries({ pid: 1, ppid: 0 }))
      Object.defineProperty(process, name, { value })
  if (port === 'none' || rest !== undefined) return void process.send!({ port: Number(rest ?? 0) })
  const server = createServer()
  server.listen({ port: Number(port), host: '127.0.0.1', backlog: 511 }, () => {
    const { port: openPort } = server.address() as { port: number }
    // The socket stays open in the host, in this network namespace: connections are accepted there, not here.
    process.send!({ port: openPort }, server, () => server.close())
  })
}

function readJob(): Job {
  const body = Buffer.allocUnsafe(readExactly(4).readUInt32BE(0))
  return JSON.parse(readExactly(body.length).toString('utf8')) as Job
}

function readExactly(length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  for (let offset = 0; offset < length;) {
    const count = readSync(frameFd, buffer, offset, length - offset, null)
    if (count === 0) process.exit(0) // the host is gone
    offset += count
  }
  return buffer
}
