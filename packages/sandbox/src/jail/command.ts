/** The command line that puts a process into a jail of its own. */
import { handoverFd } from '../protocol.ts'

/** How this machine’s kernel and container let a jail be built; found once by probing, see probe.ts. */
export interface Walls {
  /** False only where somebody chose to run code without a jail. */
  jailed: boolean
  /** A /proc of its own. Inside most containers that isn’t allowed, and the jail has none. */
  proc: boolean
}

/** What is in a jail besides /dev, /tmp and perhaps /proc, and what runs there. */
export interface JailImage {
  binds: readonly { source: string; target: string }[]
  symlinks?: readonly { source: string; target: string }[]
  command: readonly string[]
  env?: Readonly<Record<string, string>>
  /** The same without a jail. */
  bare: readonly string[]
}

export interface JailBounds {
  /** The whole of /tmp, and the largest file. */
  tmpBytes: number
  /** The kernel’s own limit on the CPU time of each process. Warm runners have none: they are watched run by run. */
  cpuSeconds?: number
}

export interface JailCommand {
  command: string
  args: string[]
  env: Record<string, string>
  jailed: boolean
}

/** Who a jail is outside of it, when the host is root: nobody, without groups. */
const nobody = 65534

export function jailCommand(image: JailImage, walls: Walls, bounds: JailBounds): JailCommand {
  const env = { HOME: '/tmp', PATH: '/bin', TMPDIR: '/tmp', TZ: 'UTC', LANG: 'C.UTF-8', ...image.env }
  const cpu = bounds.cpuSeconds === undefined ? [] : [`--cpu=${bounds.cpuSeconds}`]
  const words = [
    ...(process.getuid?.() === 0 ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs', '--'] : []),
    ...['prlimit', '--core=0', '--nofile=256', `--fsize=${bounds.tmpBytes}`, ...cpu, '--'],
    ...(walls.jailed ? [...bwrap(image, walls, bounds, { ...env, NODE_CHANNEL_FD: String(handoverFd) }), ...image.command] : image.bare),
  ]
  return {
    command: words[0]!,
    args: words.slice(1),
    env: { ...env, PATH: '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin' },
    jailed: walls.jailed,
  }
}

function bwrap({ binds, symlinks = [] }: JailImage, { proc }: Walls, { tmpBytes }: JailBounds, env: Record<string, string>): string[] {
  return [
    'bwrap',
    ...['--unshare-all', '--die-with-parent', '--new-session', '--as-pid-1', '--cap-drop', 'ALL', '--hostname', 'jail', '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...binds.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...symlinks.flatMap(({ source, target }) => ['--symlink', source, target]),
    ...(proc ? ['--proc', '/proc'] : []),
    ...['--dev', '/dev', '--size', String(tmpBytes), '--tmpfs', '/tmp', '--remount-ro', '/', '--chdir', '/tmp', '--'],
  ]
}
