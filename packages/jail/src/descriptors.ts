/**
 * Inherited descriptors. Descriptors that were open in a shell or supervisor are inherited by everything
 * that a service starts, as are those that a library opens without close-on-exec. Node's own have that
 * flag.
 */
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000
const standard = 3

/** Descriptors that a child would inherit. Empty if the system does not report them (Linux does). */
export function listInheritable(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((fd) => fd >= standard && isInherited(fd))
  } catch {
    return []
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    return false // closed meanwhile, as the one that has listed them
  }
}

/** Call this first in a process: closes all inherited descriptors except stdin, stdout and stderr. */
export function closeInherited() {
  for (const fd of listInheritable()) closeSync(fd)
}

type StdioOptions = readonly (number | 'ignore' | 'inherit' | 'pipe' | 'ipc')[]

/**
 * Starts a process with only the descriptors in `stdio`: every other inheritable one is replaced by one
 * that reads nothing.
 */
export function spawnWithoutInherited<T>(
  stdio: StdioOptions,
  start: (stdio: (StdioOptions[number] | undefined)[]) => T,
): T {
  const unasked = new Set(listInheritable().filter((fd) => fd >= stdio.length))
  if (unasked.size === 0) return start([...stdio])
  const empty = openSync('/dev/null', 'r')
  try {
    const covers = Array.from({ length: Math.max(...unasked) + 1 - stdio.length }, (_, n) =>
      unasked.has(stdio.length + n) ? empty : ('ignore' as const),
    )
    return start([...stdio, ...covers])
  } finally {
    closeSync(empty)
  }
}
