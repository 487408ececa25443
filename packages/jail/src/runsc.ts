/**
 * The content of a jail behind gVisor's own kernel: the command line and bundle for `runsc run`, tried with
 * systrap. What differs from bubblewrap, each tried: a listening socket can't come out (sendmsg with a
 * descriptor says that it succeeded, and nothing arrives), since it belongs to gVisor's network and not to
 * the host's. Connections are forwarded instead: the runner listens on its loopback and carries bytes to the
 * host's unix socket in `sockets`. Descriptors of the host's own (frames) pass as they are.
 */
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nobody, toolPath } from './alone.ts'
import { type JailBounds, type JailImage, sharedBytes, worldFolder } from './command.ts'

interface RunscOptions {
  /** The binary. */
  runsc: string
  /** A folder of ours for the bundle; removed by the caller once the container is gone. */
  folder: string
  /**
   * A folder that all containers share, for runsc's state. It mounts a namespace there that stays:
   * `null-netns`, to be unmounted before the folder is removed.
   */
  state: string
  /** Names the container; unique at a time. */
  id: string
  /** A folder of the host that holds its unix socket, where it has one. */
  sockets: string | undefined
  /** Descriptors that keep their number inside. */
  descriptors: readonly number[]
}

export function buildRunscCommand(
  image: JailImage,
  bounds: JailBounds,
  { runsc, folder, state, id, sockets, descriptors }: RunscOptions,
) {
  makeRoot(join(folder, 'rootfs'), image, sockets)
  writeFileSync(join(folder, 'config.json'), JSON.stringify(buildContainerBundle(image, bounds, sockets)))
  const global = [
    `--root=${state}`,
    '--network=none',
    '--ignore-cgroups',
    '--host-uds=open',
    '--platform=systrap',
    // Files come from a process beside it: gVisor's kernel itself is nobody, without a capability.
    '--directfs=false',
    '--overlay2=none',
  ]
  const runArgs = [`--bundle=${folder}`, ...descriptors.map((fd) => `--pass-fd=${fd}:${fd}`), id]
  return {
    command: runsc,
    args: [...global, 'run', ...runArgs],
    remove: [...global, 'delete', '--force', id],
    env: { PATH: toolPath },
  }
}

/**
 * Makes the places at which things are mounted, before runsc would make them. Anybody may write to folders
 * that are mounted read-only: a program that tries sees a read-only folder, as in other jails, and not that
 * it isn't root.
 */
function makeRoot(rootfs: string, { binds }: JailImage, sockets: string | undefined) {
  mkdirSync(rootfs, { recursive: true })
  chmodSync(rootfs, 0o777)
  const targets = [...binds, ...(sockets === undefined ? [] : [{ source: sockets, target: worldFolder }])]
  for (const { source, target } of targets) {
    const folders = target.split('/').slice(1)
    const file = statSync(source).isDirectory() ? undefined : folders.pop()
    let path = rootfs
    for (const name of folders) {
      path = join(path, name)
      if (existsSync(path)) continue
      mkdirSync(path)
      chmodSync(path, 0o777)
    }
    if (file !== undefined) writeFileSync(join(path, file), '')
  }
}

/** Builds a bundle by the OCI runtime specification 1.0. */
function buildContainerBundle(
  { binds, symlinks = [], command, env = {} }: JailImage,
  { tmpBytes, cpuSeconds }: JailBounds,
  sockets: string | undefined,
) {
  if (symlinks.length > 0) throw new Error('A bundle must not have symbolic links: bind their targets')
  const all = { HOME: '/tmp', PWD: '/tmp', PATH: '/bin', TMPDIR: '/tmp', TZ: 'UTC', LANG: 'C.UTF-8', ...env }
  const bind = (source: string, destination: string) => ({
    destination,
    source,
    type: 'bind',
    options: ['ro', 'rbind', 'nosuid', 'nodev'],
  })
  const freshMount = (destination: string, type: string, ...options: string[]) => ({
    destination,
    type,
    source: type,
    options,
  })
  const limit = (type: string, value: number) => ({ type, soft: value, hard: value })
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid: nobody, gid: nobody },
      args: command,
      env: Object.entries(all).map(([name, value]) => `${name}=${value}`),
      cwd: '/tmp',
      noNewPrivileges: true,
      capabilities: {},
      rlimits: [
        limit('RLIMIT_NOFILE', 256),
        limit('RLIMIT_FSIZE', tmpBytes),
        limit('RLIMIT_CORE', 0),
        limit('RLIMIT_MEMLOCK', 0),
        limit('RLIMIT_MSGQUEUE', 0),
        ...(cpuSeconds === undefined ? [] : [limit('RLIMIT_CPU', cpuSeconds)]),
      ],
    },
    root: { path: 'rootfs', readonly: true },
    hostname: 'jail',
    mounts: [
      ...binds.map(({ source, target }) => bind(source, target)),
      ...(sockets === undefined ? [] : [bind(sockets, worldFolder)]),
      // gVisor's own /sys tells of cores and memory as it shows them: nobody needs that, so an empty one
      // hides it.
      freshMount('/sys', 'tmpfs', 'size=0', 'mode=555', 'ro', 'nosuid', 'noexec', 'nodev'),
      freshMount('/proc', 'proc', 'nosuid', 'noexec', 'nodev'),
      freshMount('/tmp', 'tmpfs', `size=${tmpBytes}`, 'mode=1777', 'nosuid', 'nodev'),
      freshMount('/dev/shm', 'tmpfs', `size=${sharedBytes}`, 'mode=1777', 'nosuid', 'nodev'),
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount', 'network'].map((type) => ({ type })) },
  }
}
