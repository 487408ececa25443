/** The command line that puts one node process into a jail of its own. */
import { handoverFd, jailPort } from '../protocol.ts'
import type { Limits } from '@stateeval/contracts'
import type { Runtime } from '../runtime.ts'

/** How this machine’s kernel and container let a jail be built; found once by probing, see probe.ts. */
export interface Variant {
  level: 'process-jail' | 'unsafe-process'
  /** A /proc of its own. Inside most containers that isn’t allowed, and the jail has none. */
  proc: boolean
}

/** Who a jail is outside of it, when the host is root: nobody, without groups. */
const nobody = 65534
/** Bounded by the memory limit as well: a file there is memory. */
const tmpBytes = (limits: Limits) => Math.min(64, Math.floor(limits.memoryMiB / 4)) * 1024 * 1024

export function jailCommand(
  runtime: Runtime,
  variant: Variant,
  limits: Limits,
  http: boolean,
): { command: string; args: string[]; env: Record<string, string> } {
  const env = { HOME: '/tmp', PATH: '/bin', TMPDIR: '/tmp', TZ: 'UTC', LANG: 'C.UTF-8' }
  const nodeArgs = [`--max-old-space-size=${heapMiB(limits)}`, '--v8-pool-size=1', '--min-semi-space-size=16']
  const unsafe = variant.level === 'unsafe-process'
  // Without a network namespace of its own, the process takes any free port.
  const port = !http ? 'none' : unsafe ? '0' : String(jailPort)
  const words = [
    ...(process.getuid?.() === 0 ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs', '--'] : []),
    ...['prlimit', '--core=0', '--nofile=256', `--fsize=${tmpBytes(limits)}`, `--cpu=${limits.cpuSeconds + 1}`, '--'],
    ...(unsafe
      ? [runtime.node, ...nodeArgs, `${runtime.runner}/boot.cjs`, port]
      : [
          ...bwrap(runtime, variant, limits, { ...env, NODE_CHANNEL_FD: String(handoverFd) }),
          '/bin/node',
          ...nodeArgs,
          '/runner/boot.cjs',
          port,
        ]),
  ]
  return { command: words[0]!, args: words.slice(1), env: { ...env, PATH: '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin' } }
}

function bwrap(runtime: Runtime, variant: Variant, limits: Limits, env: Record<string, string>): string[] {
  return [
    ...[
      'bwrap',
      '--unshare-all',
      '--die-with-parent',
      '--new-session',
      '--as-pid-1',
      '--cap-drop',
      'ALL',
      '--hostname',
      'jail',
      '--clearenv',
    ],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', runtime.node, '/bin/node'],
    ...runtime.libraries.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...['--ro-bind', runtime.runner, '/runner', '--ro-bind', `${runtime.runner}/hosts`, '/etc/hosts'],
    ...(variant.proc ? ['--proc', '/proc'] : []),
    ...['--dev', '/dev', '--size', String(tmpBytes(limits)), '--tmpfs', '/tmp', '--remount-ro', '/', '--chdir', '/tmp', '--'],
  ]
}

/** V8 ends a program that needs more; what isn’t heap (buffers) is seen from outside. */
const heapMiB = (limits: Limits) => Math.floor(limits.memoryMiB * 0.75)
