/** Finds out once, at start, how a jail may be built here. */
import type { Limits } from '@stateeval/contracts'
import type { Runtime } from '../runtime.ts'
import type { Variant } from './command.ts'
import { Jail } from './jail.ts'

export type Level = Variant['level']

/** The variant that works, or an error that says what to install or allow. */
export async function probe(runtime: Runtime, level: Level, limits: Limits): Promise<Variant> {
  const variants: Variant[] = level === 'unsafe-process' ? [{ level, proc: false }] : [true, false].map((proc) => ({ level, proc }))
  const failures: string[] = []
  for (const variant of variants) {
    const jail = new Jail(runtime, variant, limits, true)
    try {
      await jail.ready()
      return variant
    } catch (error) {
      failures.push((error as Error).message)
    } finally {
      jail.kill('aborted')
      await jail.ended
      await jail.closeConnections(0)
    }
  }
  throw new Error(
    `No jail can be started on this machine: ${failures.at(-1)}\n` +
      'Install bubblewrap and util-linux (apt-get install bubblewrap util-linux). In a container, allow it to make namespaces (docker run --security-opt seccomp=unconfined, or a profile that permits unshare, mount and pivot_root). ' +
      'To run code without a jail, on a machine where it may do no harm, set STATEEVAL_SANDBOX=unsafe-process: every observation will say so.',
  )
}
