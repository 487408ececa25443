/**
 * Containers behind gVisor's kernel, one per program: created, watched, and always removed. All their files
 * on the host are in one folder of this process; the next process removes the remains of a killed one.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { frameFd, handoverFd } from './channel.ts'
import { toolPath } from './alone.ts'
import { type JailBounds, type JailCommand, type JailImage, worldSocket } from './command.ts'
import { ContainerUsage } from './container-usage.ts'
import { spawnWithoutInherited } from './descriptors.ts'
import { gatherBinds } from './gather.ts'
import { buildRunscCommand } from './runsc.ts'

export interface ContainerStarter {
  /** The binary. */
  runsc: string
  /**
   * A command that starts the container. Once what it started has ended, `contained.remove` takes the rest
   * away.
   */
  command(image: JailImage, bounds: JailBounds, http: boolean): Promise<JailCommand>
  close(): Promise<void>
}

/** Why containers are impossible here, with a remedy. */
export const howToRunsc =
  'Install gVisor’s runsc (https://gvisor.dev/docs/user_guide/install/), put it on PATH or name it in STATEEVAL_RUNSC, and run the service as root, which makes the network namespaces and mounts of containers; or take another level.'

const prefix = `stateeval-gvisor-${process.getuid?.() ?? 0}-`
let folderCount = 0

/** Why containers are impossible, with a remedy, as far as this is known without a trial. */
export function findMissingContainers(binary?: string): string | undefined {
  try {
    findRunsc(binary)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Throws with a remedy if containers are impossible. `binary` is the binary; by default STATEEVAL_RUNSC.
 */
export function openContainers(binary?: string, place = tmpdir()): ContainerStarter {
  const runsc = findRunsc(binary)
  removeOldContainers(place)
  const folder = join(place, `${prefix}${process.pid}-${readStartTime(process.pid)}-${++folderCount}`)
  // Nobody else looks in; runsc itself hands the jail what it may have.
  mkdirSync(join(folder, 'state'), { recursive: true, mode: 0o700 })
  let count = 0
  const mountsByImage = new Map<string, JailImage['binds']>()
  /** The same for all containers of an image. */
  const mountsOf = ({ binds }: JailImage) => {
    const key = JSON.stringify(binds)
    const mounts = mountsByImage.get(key) ?? gatherBinds(binds, join(folder, `mounts-${mountsByImage.size}`))
    mountsByImage.set(key, mounts)
    return mounts
  }
  return {
    runsc,
    async command(image, bounds, http) {
      const id = `c${++count}`
      const ownFolder = join(folder, id)
      const sockets = join(ownFolder, 'run')
      mkdirSync(sockets, { recursive: true, mode: 0o755 })
      const server = http ? await openUnixServer(join(sockets, worldSocket)) : undefined
      const state = join(folder, 'state')
      const { command, args, remove, env } = buildRunscCommand({ ...image, binds: mountsOf(image) }, bounds, {
        ...{ runsc, folder: ownFolder, state, id, sockets: http ? sockets : undefined },
        descriptors: [handoverFd, frameFd],
      })
      const usage = new ContainerUsage(join(state, `runsc-${id}.sock`), id)
      return {
        command: 'setpriv',
        args: ['--pdeathsig', 'KILL', '--', command, ...args],
        env,
        jailed: true,
        grouped: true,
        contained: {
          server,
          usage,
          async remove() {
            server?.close()
            await new Promise((resolve) =>
              spawnWithoutInherited(['ignore', 'ignore', 'ignore'], (stdio) =>
                spawn(command, remove, { env, stdio }).on('close', resolve).on('error', resolve),
              ),
            )
            await rm(ownFolder, { recursive: true, force: true })
          },
        },
      }
    },
    close: () => Promise.resolve(removeFolder(folder)),
  }
}

/** A runsc that can be run. */
function findRunsc(binary = process.env['STATEEVAL_RUNSC']): string {
  if (process.getuid?.() !== 0)
    throw new Error(`The level gvisor needs root, to start containers. ${howToRunsc}`)
  if (binary !== undefined && binary !== '') {
    if (isRunnable(binary)) return binary
    throw new Error(`STATEEVAL_RUNSC is ${binary}, which cannot be run. ${howToRunsc}`)
  }
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'runsc'))
  const runsc = paths.find((path) => existsSync(path) && isRunnable(path))
  if (runsc === undefined) throw new Error(`The level gvisor needs runsc, but PATH has none. ${howToRunsc}`)
  return runsc
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Removes remains of ended services: their containers, the mounted namespace, and the folder. */
export function removeOldContainers(place = tmpdir()) {
  for (const name of readdirSync(place)) {
    const [pid, start] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : []
    const folder = join(place, name)
    if (pid === undefined || start === undefined || readStartTime(Number(pid)) === start) continue
    // The place may be anybody’s to write to: only what is ours is ours to remove.
    if (statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.()) removeFolder(folder)
  }
}

/** When the process started, as the kernel counts; `gone` where there is none. */
function readStartTime(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19]!
  } catch {
    return 'gone'
  }
}

function removeFolder(folder: string) {
  for (const pid of readdirSync('/proc'))
    if (/^\d+$/.test(pid) && isContainerProcess(pid, folder)) end(Number(pid))
  spawnSync('umount', ['--lazy', join(folder, 'state', 'null-netns')], {
    env: { PATH: toolPath },
    stdio: 'ignore',
  })
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
}

/** Tells whether it is a process of runsc whose state is in this folder. */
function isContainerProcess(pid: string, folder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .includes(`--root=${join(folder, 'state')}`)
  } catch {
    return false
  }
}

function end(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}

async function openUnixServer(path: string): Promise<Server> {
  const server = createServer().listen(path, 511)
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  chmodSync(path, 0o666)
  return server
}
