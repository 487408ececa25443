/**
 * Descriptors that are open in a shell when it runs a command (`exec 3<file`) are inherited by everything
 * that the command starts. A service that outlives the command must inherit none.
 * (packages/jail/src/descriptors.ts does the same around code under test.)
 */
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000

/**
 * Descriptors beside stdin, stdout and stderr that a child would inherit; Node's own have a flag against it.
 */
function listInheritableDescriptors(): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > 2 && (readDescriptorFlags(fd) & closeOnExec) === 0)
}

function readDescriptorFlags(fd: number): number {
  try {
    return Number.parseInt(
      /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '',
      8,
    )
  } catch {
    return closeOnExec // closed meanwhile
  }
}

/**
 * Starts a process with the given stdin, stdout and stderr; every other inherited descriptor reads nothing.
 */
export function spawnWithoutDescriptors<T>(
  stdio: ('ignore' | number)[],
  start: (stdio: ('ignore' | number)[]) => T,
): T {
  const unasked = new Set(listInheritableDescriptors())
  if (unasked.size === 0) return start(stdio)
  const empty = openSync('/dev/null', 'r')
  try {
    const covers = Array.from({ length: Math.max(...unasked) - 2 }, (_, n) =>
      unasked.has(n + 3) ? empty : ('ignore' as const),
    )
    return start([...stdio, ...covers])
  } finally {
    closeSync(empty)
  }
}
