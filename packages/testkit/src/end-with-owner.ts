/** Whatever tests and measurements start ends with the process that started it, however that ends. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { spawnWithoutInherited } from '../../jail/src/descriptors.ts'

/**
 * Reads until the owner has ended. Then kills each process whose environment has the variable, and its
 * descendants, until there is none: a stopped process starts no other while its children are listed.
 */
const watcher = `
end() {
  kill -STOP "$1"
  for child in $(cat /proc/"$1"/task/*/children); do end "$child"; done
  kill -KILL "$1"
}
read -r _
while files=$(grep -lsF "$0" /proc/[0-9]*/environ); [ "$files" ]; do
  for file in $files; do pid=\${file#/proc/}; end "\${pid%/environ}"; done
  sleep 0.1
done 2> /dev/null`

const prefix = 'STATEEVAL_OWNER_'
/** What a process inherits that is started with hardly any environment, so that it ends with its owners. */
export const listOwners = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith(prefix)))

let hasWatcher = false

/**
 * To be called before a process starts others: a watcher in a separate session kills them, detached ones
 * too, once this process has ended. They are known by a variable that they inherit (`listOwners`). One whose
 * environment was cleared is known only as a descendant of those.
 */
export function endChildrenWithThis(): void {
  if (hasWatcher) return
  hasWatcher = true
  const name = `${prefix}${randomUUID().replaceAll('-', '')}`
  const watch = spawnWithoutInherited(['pipe', 'ignore', 'ignore'], (stdio) =>
    spawn('/bin/sh', ['-c', watcher, name], { stdio, detached: true, cwd: '/' }),
  )
  process.env[name] = String(process.pid)
  watch.on('error', () => {})
  watch.unref()
  ;(watch.stdin as Socket | null)?.unref()
}
