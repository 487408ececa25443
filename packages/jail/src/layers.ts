/**
 * The layers of a jail: their names, the minimum for a jail, whether this machine supports each of them
 * (tested separately), and which of them surround a running jail.
 */
import { readlinkSync } from 'node:fs'
import { alone, plainly, type AloneEnd } from './alone.ts'
import { openCgroup } from './cgroup/cgroup.ts'
import { namespaceRemedy } from './namespaces.ts'
import { observeLayers } from './observe-layers.ts'
import { rlimits } from './rlimits.ts'
import { assembleFilter, thisArch } from './seccomp/filter.ts'

export const layerNames = [
  'user namespace',
  'mount namespace',
  'pid namespace',
  'network namespace',
  'ipc namespace',
  'uts namespace',
  'cgroup namespace',
  'unprivileged user',
  'no new privileges',
  'no capabilities',
  'seccomp',
  'process limits',
  'control group',
  'read-only root',
  'no processes in /proc',
] as const
export type LayerName = (typeof layerNames)[number]

export interface JailLayer {
  layer: LayerName
  inForce: boolean
  /** Its appearance, or why it isn’t there. */
  detail: string
}

/** Without these, nothing is called a jail. The watchdog can replace limits and control groups. */
export const minimum: readonly LayerName[] = layerNames.filter(
  (name) => !['process limits', 'control group'].includes(name),
)

/** Missing layers of the minimum; empty for a valid jail. */
export const missing = (layers: readonly JailLayer[]): JailLayer[] =>
  minimum.flatMap((name) => {
    const match = layers.find(({ layer }) => layer === name) ?? {
      layer: name,
      inForce: false,
      detail: 'unknown',
    }
    return match.inForce ? [] : [match]
  })

/**
 * The layers around the process, which must be inside a running jail; a missing layer has a reason, if
 * testing it alone reveals one. Without a process: the layers that the machine supports. Takes up to a
 * second, so call it at the start.
 */
export function describeLayers(pid?: number): JailLayer[] {
  if (pid === undefined) return probeLayers()
  return observeLayers(pid).map((observedLayer) => {
    if (observedLayer.inForce) return observedLayer
    const possible = probes[observedLayer.layer]()
    return {
      ...observedLayer,
      detail: possible.inForce
        ? `${observedLayer.detail} (this machine supports it)`
        : `${observedLayer.detail}: ${possible.detail}`,
    }
  })
}

/** Tests every layer separately, in about 150 ms. */
export const probeLayers = (): JailLayer[] => layerNames.map((layer) => ({ layer, ...probes[layer]() }))

type LayerFinding = Omit<JailLayer, 'layer'>

const probes: Record<LayerName, () => LayerFinding> = {
  'user namespace': () => namespace('user', []),
  'mount namespace': () => namespace('mnt', []),
  'pid namespace': () => namespace('pid', ['--unshare-pid']),
  'network namespace': () => namespace('net', ['--unshare-net']),
  'ipc namespace': () => namespace('ipc', ['--unshare-ipc']),
  'uts namespace': () => namespace('uts', ['--unshare-uts']),
  'cgroup namespace': () => namespace('cgroup', ['--unshare-cgroup']),
  'unprivileged user': () =>
    status(
      plainly(['cat', '/proc/self/status']),
      /^Uid:\s+(?!0\s)\d+\s+(?!0\s)(\d+)/m,
      'it stays root: setpriv (util-linux) is needed',
    ),
  'no new privileges': () =>
    status(plainly(['cat', '/proc/self/status']), /^NoNewPrivs:\s+(1)/m, 'the kernel has no such flag'),
  'no capabilities': () =>
    status(alone(['--cap-drop', 'ALL'], ['cat', '/proc/self/status']), /^CapEff:\s+(0+)$/m, 'some are left'),
  seccomp: () => filtered(),
  'process limits': () => statusOf(plainly([...rlimits({ fileBytes: 1024 }), 'true']), 'can be set'),
  'control group': () => grouped(),
  'read-only root': () =>
    refused(
      alone([], ['touch', '/tmp/stateeval-read-only']),
      'Read-only file system',
      'files of the host cannot be written',
    ),
  'no processes in /proc': () =>
    refused(alone(['--tmpfs', '/proc'], ['ls', '/proc/self']), 'No such file', 'it can be hidden'),
}

/** Why the programs of a warm jail cannot each have a network of their own here; undefined if they can. */
export function lackingOwnNetworks(): string | undefined {
  const { ok, reason } = alone([], ['unshare', '--user', '--net', 'true'])
  return ok
    ? undefined
    : `processes in a jail cannot make namespaces (${reason}). ${namespaceRemedy(reason) ?? "Check AppArmor's profile of bwrap."}`
}

const statusOf = ({ ok, reason }: AloneEnd, detail: string): LayerFinding =>
  ok ? { inForce: true, detail } : { inForce: false, detail: reason }

function namespace(link: string, flags: readonly string[]): LayerFinding {
  const end = alone(flags, ['readlink', `/proc/self/ns/${link}`])
  if (!end.ok) return { inForce: false, detail: end.reason }
  const other = end.output.trim() !== readlinkSync(`/proc/self/ns/${link}`)
  return { inForce: other, detail: other ? 'can be made' : 'bubblewrap made none' }
}

function status(end: AloneEnd, pattern: RegExp, otherwise: string): LayerFinding {
  if (!end.ok) return { inForce: false, detail: end.reason }
  const value = pattern.exec(end.output)?.[1]
  return value === undefined ? { inForce: false, detail: otherwise } : { inForce: true, detail: value }
}

function refused(end: AloneEnd, by: string, detail: string): LayerFinding {
  return !end.ok && end.reason.includes(by)
    ? { inForce: true, detail }
    : { inForce: false, detail: end.ok ? 'it was allowed' : end.reason }
}

/**
 * A jail that may make no namespaces: unshare is the call that the filter refuses and an ordinary tool makes.
 */
function filtered(): LayerFinding {
  try {
    const filter = assembleFilter(thisArch())
    const runs = alone([], ['true'], filter)
    if (!runs.ok) return { inForce: false, detail: runs.reason }
    return refused(
      alone([], ['unshare', '--user', 'true'], filter),
      'Operation not permitted',
      `a filter of ${filter.length / 8} instructions`,
    )
  } catch (error) {
    return { inForce: false, detail: (error as Error).message }
  }
}

function grouped(): LayerFinding {
  const group = openCgroup('probe', { memoryMiB: 64, pids: 16 })
  if ('unavailable' in group) return { inForce: false, detail: group.unavailable }
  void group.close()
  return { inForce: true, detail: 'memory, processes and CPU time' }
}
