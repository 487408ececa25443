/** Finds out once, at the start, how a jail can be built here. */
import type { JailCapabilities } from './command.ts'
import { describeLayers, type JailLayer, listMissingLayers } from './layers.ts'
import { listDescendants } from './process-tree.ts'

/** A cell that can be started and thrown away. */
interface TrialCell {
  /** The pid of its outermost process, where its innermost one may be looked into. */
  readonly pid?: number | undefined
  ready(): Promise<unknown>
  release(): Promise<void>
}

/** The walls that work and have all layers of the minimum, or an error with what to install or allow. */
export async function probe(
  jailed: boolean,
  start: (walls: JailCapabilities) => TrialCell,
): Promise<JailCapabilities> {
  const choices: JailCapabilities[] = jailed
    ? [true, false].map((machine) => ({ jailed, machine }))
    : [{ jailed, machine: false }]
  const failures: string[] = []
  for (const walls of choices) {
    const trial = start(walls)
    try {
      await trial.ready()
      const layers = observeLayersAround(trial)
      const lacking = jailed ? listMissingLayers(layers) : []
      if (lacking.length === 0) return { ...walls, layers }
      failures.push(
        `a jail would lack ${lacking.map(({ layer, detail }) => `${layer} (${detail})`).join(', ')}`,
      )
    } catch (error) {
      failures.push((error as Error).message)
    } finally {
      await trial.release()
    }
  }
  throw new Error(
    `No jail can be started on this machine: ${failures.at(-1)}\n` +
      'Install bubblewrap and util-linux (apt-get install bubblewrap util-linux). In a container, allow it to create namespaces (docker run --security-opt seccomp=unconfined, or a profile that permits unshare, mount and pivot_root). ' +
      'To run code without a jail, on a machine where it can do no harm, set STATEEVAL_SANDBOX=unsafe-process: every observation will say so.',
  )
}

/**
 * Observes layers as the kernel sees the innermost process. For one that hides from its own user, reports
 * what the machine gives.
 */
function observeLayersAround({ pid }: TrialCell): readonly JailLayer[] {
  const inner = pid === undefined ? undefined : listDescendants(pid).at(-1)
  try {
    return describeLayers(inner)
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return describeLayers()
  }
}
