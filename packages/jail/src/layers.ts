/**
 * The layers of a jail: their names, the minimum for a jail, whether this machine supports each of them
 * (tested separately), and which of them surround a running jail.
 */
import { readlinkSync } from 'node:fs'
import { runAlone, runPlainly, type AloneEnd } from './alone.ts'
import { openCgroup } from './cgroup/cgroup.ts'
import { describeNamespaceRemedy } from './namespaces.ts'
import { observeLayers } from './observe-layers.ts'
import { buildRlimits } from './rlimits.ts'
import { buildFilter, getArchitecture } from './seccomp/filter.ts'

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
export const listMissingLayers = (layers: readonly JailLayer[]): JailLayer[] =>
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
  'user namespace': () => probeNamespace('user', []),
  'mount namespace': () => probeNamespace('mnt', []),
  'pid namespace': () => probeNamespace('pid', ['--unshare-pid']),
  'network namespace': () => probeNamespace('net', ['--unshare-net']),
  'ipc namespace': () => probeNamespace('ipc', ['--unshare-ipc']),
  'uts namespace': () => probeNamespace('uts', ['--unshare-uts']),
  'cgroup namespace': () => probeNamespace('cgroup', ['--unshare-cgroup']),
  'unprivileged user': () =>
    probeStatus(
      runPlainly(['cat', '/proc/self/status']),
      /^Uid:\s+(?!0\s)\d+\s+(?!0\s)(\d+)/m,
      'it stays root: setpriv (util-linux) is needed',
    ),
  'no new privileges': () =>
    probeStatus(
      runPlainly(['cat', '/proc/self/status']),
      /^NoNewPrivs:\s+(1)/m,
      'the kernel has no such flag',
    ),
  'no capabilities': () =>
    probeStatus(
      runAlone(['--cap-drop', 'ALL'], ['cat', '/proc/self/status']),
      /^CapEff:\s+(0+)$/m,
      'some are left',
    ),
  seccomp: () => probeFilter(),
  'process limits': () =>
    findStatus(runPlainly([...buildRlimits({ fileBytes: 1024 }), 'true']), 'can be set'),
  'control group': () => probeGroup(),
  'read-only root': () =>
    probeRefusal(
      runAlone([], ['touch', '/tmp/stateeval-read-only']),
      'Read-only file system',
      'files of the host cannot be written',
    ),
  'no processes in /proc': () =>
    probeRefusal(runAlone(['--tmpfs', '/proc'], ['ls', '/proc/self']), 'No such file', 'it can be hidden'),
}

/** Why the programs of a warm jail cannot each have their own network here; undefined if they can. */
export function findMissingNetworks(): string | undefined {
  const { ok, reason } = runAlone([], ['unshare', '--user', '--net', 'true'])
  return ok
    ? undefined
    : `processes in a jail cannot make namespaces (${reason}). ${describeNamespaceRemedy(reason) ?? "Check AppArmor's profile of bwrap."}`
}

const findStatus = ({ ok, reason }: AloneEnd, detail: string): LayerFinding =>
  ok ? { inForce: true, detail } : { inForce: false, detail: reason }

function probeNamespace(link: string, flags: readonly string[]): LayerFinding {
  const end = runAlone(flags, ['readlink', `/proc/self/ns/${link}`])
  if (!end.ok) return { inForce: false, detail: end.reason }
  const other = end.output.trim() !== readlinkSync(`/proc/self/ns/${link}`)
  return { inForce: other, detail: other ? 'can be made' : 'bubblewrap made none' }
}

function probeStatus(end: AloneEnd, pattern: RegExp, otherwise: string): LayerFinding {
  if (!end.ok) return { inForce: false, detail: end.reason }
  const value = pattern.exec(end.output)?.[1]
  return value === undefined ? { inForce: false, detail: otherwise } : { inForce: true, detail: value }
}

function probeRefusal(end: AloneEnd, by: string, detail: string): LayerFinding {
  return !end.ok && end.reason.includes(by)
    ? { inForce: true, detail }
    : { inForce: false, detail: end.ok ? 'it was allowed' : end.reason }
}

/**
 * A jail that may make no namespaces: unshare is the call that the filter refuses and an ordinary tool makes.
 */
function probeFilter(): LayerFinding {
  try {
    const filter = buildFilter(getArchitecture())
    const runs = runAlone([], ['true'], filter)
    if (!runs.ok) return { inForce: false, detail: runs.reason }
    return probeRefusal(
      runAlone([], ['unshare', '--user', 'true'], filter),
      'Operation not permitted',
      `a filter of ${filter.length / 8} instructions`,
    )
  } catch (error) {
    return { inForce: false, detail: (error as Error).message }
  }
}

function probeGroup(): LayerFinding {
  const group = openCgroup('probe', { memoryMiB: 64, pids: 16 })
  if ('unavailable' in group) return { inForce: false, detail: group.unavailable }
  void group.close()
  return { inForce: true, detail: 'memory, processes and CPU time' }
}
