/** Finds out once, at start, how a jail may be built here. */
import type { Walls } from './command.ts'

/** A cell that can be started and thrown away. */
interface Trial {
  ready(): Promise<unknown>
  release(): Promise<void>
}

/** The walls that work, or an error that says what to install or allow. */
export async function probe(jailed: boolean, start: (walls: Walls) => Trial): Promise<Walls> {
  const choices: Walls[] = jailed ? [true, false].map((proc) => ({ jailed, proc })) : [{ jailed, proc: false }]
  const failures: string[] = []
  for (const walls of choices) {
    const trial = start(walls)
    try {
      await trial.ready()
      return walls
    } catch (error) {
      failures.push((error as Error).message)
    } finally {
      await trial.release()
    }
  }
  throw new Error(
    `No jail can be started on this machine: ${failures.at(-1)}\n` +
      'Install bubblewrap and util-linux (apt-get install bubblewrap util-linux). In a container, allow it to make namespaces (docker run --security-opt seccomp=unconfined, or a profile that permits unshare, mount and pivot_root). ' +
      'To run code without a jail, on a machine where it may do no harm, set STATEEVAL_SANDBOX=unsafe-process: every observation will say so.',
  )
}
