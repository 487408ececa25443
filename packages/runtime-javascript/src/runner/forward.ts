/**
 * If the jail's kernel is not the host's, the host cannot accept its connections. The first process then
 * accepts them and forwards their bytes to the host's unix socket. The runner is a separate process, which
 * candidate code may block or end without delaying or losing sent data.
 */
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { constants } from 'node:os'
import { frameFd, handoverFd } from '@stateeval/runtime/protocol'

/**
 * How long connections may take to their end once the runner has ended, as in other jails, in milliseconds.
 */
const graceMs = 5000
/** Time after which every connection has been seen, in milliseconds. */
const settleMs = 5

/** Listens on the port, starts the runner with the open port, and ends with it. */
export function forwardPort(port: number, path: string) {
  const open = new Set<Socket>()
  let emptied = () => {}
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (inner) => {
    const outer = connect({ path, allowHalfOpen: true })
    open.add(inner)
    inner.pipe(outer)
    outer.pipe(inner)
    inner.on('error', () => outer.destroy())
    outer.on('error', () => inner.destroy())
    inner.on('close', () => {
      outer.destroy()
      open.delete(inner)
      if (open.size === 0) emptied()
    })
  })
  server.listen({ port, host: '127.0.0.1', backlog: 511 }, () => {
    const runner = spawn(process.execPath, [...process.execArgv, process.argv[1]!, `given:${port}`], {
      stdio: [0, 1, 2, handoverFd, frameFd],
      env: { ...process.env, NODE_CHANNEL_FD: String(handoverFd) },
    })
    for (const fd of [handoverFd, frameFd]) closeSync(fd)
    runner.on('exit', (code, signal) => {
      const end = () => process.exit(code ?? 128 + constants.signals[signal!])
      // Everything that the runner left ends with it, as where the runner is the first process.
      try {
        process.kill(-1, 'SIGKILL')
      } catch {
        // Nobody is left.
      }
      setTimeout(() => {
        if (open.size === 0) end()
        emptied = end
        setTimeout(end, graceMs)
      }, settleMs)
    })
  })
}
