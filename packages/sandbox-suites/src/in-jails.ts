import { existsSync } from 'node:fs'
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
