import { existsSync } from 'node:fs'
import { descendants } from '@stateeval/jail'

/** The processes in jails of this process: those that fork, run a program, or wait for the next one. */
export const inJails = (): number[] =>
  descendants(process.pid).filter((pid) => existsSync(`/proc/${pid}/root/runner`))
