/** Limits in tests follow the machine, whose speed is measured once at the start of a run. */
import { spawnSync } from 'node:child_process'

const variable = 'STATEEVAL_TEST_SLOWNESS'
/** Starting a process that counts takes so long on two cores that do nothing else. */
const usualMs = 250

/** A limit of so many milliseconds on a usual machine. It is longer on a slow or busy one. */
export const patience = (ms: number): number => Math.round(ms * Number(process.env[variable] ?? 1))

/** Measures this machine, unless the variable says how slow it is. Processes started from here inherit it. */
export function measureMachine(): void {
  if (process.env[variable]) return
  const began = performance.now()
  spawnSync(process.execPath, ['-e', 'for (let n = 0; n < 1e8; n++);'])
  process.env[variable] = String(Math.max(1, (performance.now() - began) / usualMs))
}
