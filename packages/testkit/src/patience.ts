/**
 * Limits in tests follow the machine: its speed is measured at the start of a run, and again before a wait is
 * given up, since a machine may become busier than it was.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

const variable = 'STATEEVAL_TEST_SLOWNESS'
/** Starting a process that counts takes so long on two cores that do nothing else. */
const usualMs = 250

/** A limit of so many milliseconds on a usual machine. It is longer on a slow or busy one. */
export const patience = (ms: number): number => Math.round(ms * Number(process.env[variable] ?? 1))

const counting = ['-e', 'for (let n = 0; n < 1e8; n++);']
const slownessSince = (began: number) => Math.max(1, (performance.now() - began) / usualMs)

/** Measures this machine, unless the variable says how slow it is. Processes started from here inherit it. */
export function measureMachine(): void {
  if (process.env[variable]) return
  const began = performance.now()
  spawnSync(process.execPath, counting)
  process.env[variable] = String(slownessSince(began))
}

/** Makes limits longer if the machine has become slower. */
export async function measureAgain(): Promise<void> {
  const began = performance.now()
  await once(spawn(process.execPath, counting, { stdio: 'ignore' }), 'close')
  process.env[variable] = String(Math.max(Number(process.env[variable] ?? 1), slownessSince(began)))
}
