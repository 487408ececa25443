import { existsSync, writeFileSync } from 'node:fs'
import { listDescendants } from '@stateeval/jail'

/** The processes in jails of this process: those that fork, run a program, or wait for the next one. */
export const inJails = (): number[] =>
  listDescendants(process.pid).filter((pid) => existsSync(`/proc/${pid}/root/runner`))

/** Kills processes, of which some end with others. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

/** Writes a file in the jail of a process, as the only user that may. Only root of the host can do that. */
export function plantFile(pid: number): void {
  const folder = process.cwd()
  process.chdir(`/proc/${pid}/root/tmp`)
  process.setegid!(65534)
  process.seteuid!(65534)
  try {
    writeFileSync('left', 'left')
  } finally {
    process.seteuid!(0)
    process.setegid!(0)
    process.chdir(folder)
  }
}
