/** Limits of the kernel on processes that already run. */
import { spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { release } from 'node:os'
import { toolPath, dropRootCommand } from './alone.ts'

/**
 * From Linux 5.14 on, RLIMIT_NPROC counts a user's processes per user namespace, and each jail has its own.
 */
export function isCountingByNamespace(version = release()): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return major > 5 || (major === 5 && minor >= 14)
}

/** Tells whether this process's limit counts only those of its jail. */
export const isCountingApart = (pid: number | undefined): boolean =>
  pid !== undefined && isCountingByNamespace() && readUserNamespace(pid) !== readUserNamespace('self')

/** Permanently limits these processes. Takes about two milliseconds for each. */
export function limitRunning(
  pids: readonly number[],
  { tasks, descriptors }: { tasks?: number; descriptors?: number },
): void {
  const limits = [
    ...(tasks === undefined ? [] : [`--nproc=${tasks}`]),
    ...(descriptors === undefined ? [] : [`--nofile=${descriptors}`]),
  ]
  for (const pid of pids) {
    const words = [...dropRootCommand(), 'prlimit', '--pid', String(pid), ...limits]
    spawnSync(words[0]!, words.slice(1), { env: { PATH: toolPath }, stdio: 'ignore' })
  }
}

/** The user namespace of a process; null where it has ended. */
function readUserNamespace(pid: number | 'self'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/user`)
  } catch {
    return null
  }
}
