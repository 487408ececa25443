/** The command line that starts a process in a separate jail. */
import type { Server } from 'node:net'
import { frameFd, handoverFd, jailPort } from './channel.ts'
import { nobody, toolPath, dropRootCommand } from './alone.ts'
import type { ContainerUsage } from './container-usage.ts'
import type { JailLayer } from './layers.ts'
import { buildRlimits } from './rlimits.ts'
import { buildFilter, getArchitecture } from './seccomp/filter.ts'
import { forkingJailPolicy, jailPolicy, type SyscallPolicy } from './seccomp/policy.ts'

/** How this machine’s kernel and container allow building a jail; found once by probing, see probe.ts. */
export interface JailCapabilities {
  /** False only where somebody chose to run code without a jail. */
  jailed: boolean
  /**
   * True if /proc has the files that tell of the machine, which libraries ask for cores and memory. Nothing
   * of processes is there: that would show where on the host each file comes from, and connections of earlier
   * programs.
   */
  machine: boolean
  /** False where no control group is to be made, as on a machine that lets nobody make one. */
  groups?: boolean
  /** Layers around the jail that was tried, as observed. */
  layers?: readonly JailLayer[]
}

/** The content of a jail besides /dev, /tmp and possibly /proc, and its program. */
export interface JailImage {
  binds: readonly { source: string; target: string }[]
  symlinks?: readonly { source: string; target: string }[]
  /** Device files of the machine that code there may use. */
  devices?: readonly string[]
  command: readonly string[]
  env?: Readonly<Record<string, string>>
  /** The command is not the first process of its jail, which hears no signals. */
  second?: boolean
  /** The command forks a child for each program, with its own network. */
  forks?: boolean
  /** The same without a jail. */
  bare: readonly string[]
}

/** The port that a runner must open. Without its own network namespace, it takes any free one. */
export const getPort = ({ jailed }: JailCapabilities, http: boolean) =>
  !http ? 'none' : jailed ? String(jailPort) : '0'

/** The host’s socket in a container, and its folder there. */
export const worldSocket = 'world.sock'
export const worldFolder = '/world'
/** The same in a container: the runner opens the port and forwards connections to the host's socket. */
export const getForwardedPort = (http: boolean) =>
  http ? `${jailPort}:${worldFolder}/${worldSocket}` : 'none'

export interface JailBounds {
  /** The whole of /tmp, and the largest file. */
  tmpBytes: number
  /**
   * The kernel’s own limit on the CPU time of each process. Warm runners have none: they are watched run by
   * run.
   */
  cpuSeconds?: number
}

export interface JailCommand {
  command: string
  args: string[]
  env: Record<string, string>
  jailed: boolean
  /** True if it gets its own control group, where one can be made. */
  grouped: boolean
  /** The filter that the process reads from `filterFd`, to its end. */
  filter?: Uint8Array
  /** Handles of a container that has its own kernel. */
  contained?: ContainerHandles
}

/** The host's handles of a container. */
export interface ContainerHandles {
  /** Takes the connections of its runner; undefined without HTTP. */
  server: Server | undefined
  /** Its usage, which its processes as the host sees them don't show. */
  usage: ContainerUsage
  /** Takes away what is left of it. Never rejects. */
  remove(): Promise<void>
}

/** Beyond those of the protocol; bubblewrap closes it before anything of ours runs. */
const filterFd = frameFd + 1
/** Assembled once: the same for every jail of a kind. */
const filters = new Map<SyscallPolicy, Uint8Array>()
function getFilter(policy: SyscallPolicy): Uint8Array {
  const filter = filters.get(policy) ?? buildFilter(getArchitecture(), policy)
  filters.set(policy, filter)
  return filter
}
/** The size of /dev/shm, where Python's locks between processes are. */
export const sharedBytes = 4 * 1024 * 1024

export function buildJailCommand(image: JailImage, walls: JailCapabilities, bounds: JailBounds): JailCommand {
  const env = { HOME: '/tmp', PATH: '/bin', TMPDIR: '/tmp', TZ: 'UTC', LANG: 'C.UTF-8', ...image.env }
  const words = [
    ...dropRootCommand(),
    ...buildRlimits({
      fileBytes: bounds.tmpBytes,
      ...(bounds.cpuSeconds !== undefined && { cpuSeconds: bounds.cpuSeconds }),
    }),
    ...(walls.jailed
      ? [
          ...buildBwrapCommand(image, walls, bounds, { ...env, NODE_CHANNEL_FD: String(handoverFd) }),
          ...image.command,
        ]
      : image.bare),
  ]
  return {
    command: words[0]!,
    args: words.slice(1),
    env: { ...env, PATH: toolPath },
    jailed: walls.jailed,
    grouped: walls.jailed && walls.groups !== false,
    ...(walls.jailed && { filter: getFilter(image.forks ? forkingJailPolicy : jailPolicy) }),
  }
}

const machineFiles = ['/proc/cpuinfo', '/proc/meminfo', '/proc/stat']

function buildBwrapCommand(
  { binds, symlinks = [], devices = [], second = false }: JailImage,
  { machine }: JailCapabilities,
  { tmpBytes }: JailBounds,
  env: Record<string, string>,
): string[] {
  return [
    'bwrap',
    ...[
      '--unshare-all',
      // The same number at every level: programs' namespaces in a warm jail map no user, and show this one.
      ...['--uid', String(nobody), '--gid', String(nobody)],
      '--die-with-parent',
      '--new-session',
      ...(second ? [] : ['--as-pid-1']),
      '--cap-drop',
      'ALL',
      '--hostname',
      'jail',
      '--clearenv',
    ],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...binds.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...symlinks.flatMap(({ source, target }) => ['--symlink', source, target]),
    ...(machine ? machineFiles.flatMap((path) => ['--ro-bind', path, path]) : []),
    // bubblewrap's /dev is a folder in memory like any other: without a bound unless nobody may write there.
    ...['--dev', '/dev', '--size', String(sharedBytes), '--tmpfs', '/dev/shm'],
    ...devices.flatMap((path) => ['--dev-bind', path, path]),
    ...['--remount-ro', '/dev', '--remount-ro', '/dev/pts'],
    ...[
      '--size',
      String(tmpBytes),
      '--tmpfs',
      '/tmp',
      '--remount-ro',
      '/',
      '--chdir',
      '/tmp',
      '--seccomp',
      String(filterFd),
      '--',
    ],
  ]
}
