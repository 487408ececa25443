/**
 * The gVisor level: its availability is tested once, when the sandbox's level or a request first needs it.
 */
import type { ProgramCell } from '@stateeval/runtime'
import {
  type ContainerStarter,
  howToRunsc,
  findMissingContainers,
  type JailLayer,
  observeLayers,
  openContainers,
  findSandboxProcess,
} from '@stateeval/jail'

interface GvisorContainers {
  /** Why there can be none, with what to do about it, as far as that is known without a trial. */
  readonly lacks: string | undefined
  /** Rejects with what to do where no container can be started. */
  open(): Promise<ContainerStarter>
  /** The layers around gVisor's kernel, once a container was started. */
  layers(): readonly JailLayer[]
  close(): Promise<void>
}

/** `runsc` is the binary's path; by default it is searched on PATH. `start` starts a test container. */
export function createGvisor(
  runsc: string | undefined,
  start: (containers: ContainerStarter) => Promise<ProgramCell & { pid?: number | undefined }>,
): GvisorContainers {
  const lacks = findMissingContainers(runsc)
  let openedContainers: Promise<ContainerStarter> | undefined
  let layers: readonly JailLayer[] = []
  async function tried(): Promise<ContainerStarter> {
    const containers = openContainers(runsc)
    try {
      const trial = await start(containers)
      if (trial.pid !== undefined) layers = observeContainerLayers(trial.pid)
      await trial.release()
      return containers
    } catch (error) {
      await containers.close()
      throw new Error(
        `No container can be started by ${containers.runsc}: ${(error as Error).message}\n${howToRunsc}`,
        { cause: error },
      )
    }
  }
  return {
    lacks,
    open() {
      // A failed start may succeed later, so it is forgotten.
      openedContainers ??= tried().catch((error: unknown) => {
        openedContainers = undefined
        throw error
      })
      return openedContainers
    },
    layers: () => layers,
    close: async () => (await openedContainers?.catch(() => undefined))?.close(),
  }
}

/**
 * Around the process that is gVisor's kernel. Limits of processes hold inside of it, and /proc is its own:
 * the host doesn't see them.
 */
function observeContainerLayers(root: number): readonly JailLayer[] {
  const pid = findSandboxProcess(root)
  const inside: JailLayer[] = [
    { layer: 'process limits', inForce: true, detail: 'held by gVisor’s kernel' },
    {
      layer: 'no processes in /proc',
      inForce: true,
      detail: 'only those of its container, as gVisor’s kernel reports them',
    },
  ]
  return pid === undefined
    ? []
    : observeLayers(pid).map(
        (observedLayer) => inside.find(({ layer }) => layer === observedLayer.layer) ?? observedLayer,
      )
}
