/** Servers of tests end with the process that started them, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { withoutInherited } from '../../jail/src/descriptors.ts'

/**
 * A shell next to the server reads from this process until it ends, and then kills the server. This works
 * if the process is killed, and in Jest's workers, whose files get no `exit` event. Neither keeps this
 * process alive.
 */
export function endWithOwner(server: ChildProcess): void {
  const { pid } = server
  if (pid === undefined) return
  const watch = withoutInherited(['pipe', 'ignore', 'ignore'], (stdio) =>
    spawn('/bin/sh', ['-c', 'cat; kill -9 "$0"', String(pid)], { stdio }),
  )
  watch.on('error', () => {})
  watch.unref()
  ;(watch.stdin as Socket | null)?.unref()
  server.once('exit', () => {
    // In this order: the number may be another process's by now.
    watch.kill('SIGKILL')
    watch.stdin?.destroy()
  })
}
