/** Processes on this machine: started detached, recognised later, ended. */
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnWithoutDescriptors } from './descriptors.ts'

/** A process and its start time, so that a reused pid is not mistaken for it. */
export interface ProcessId {
  pid: number
  startedAs: string
}

/** When the process of this pid started, in the system's own words; null when there is none (or a zombie). */
export function readProcessStart(pid: number): string | null {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ') // the name before may hold anything
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8) // ticks count from the boot
    return `${boot}-${fields[19]}`
  } catch {
    return null
  }
}

export const isAlive = ({ pid, startedAs }: ProcessId): boolean => readProcessStart(pid) === startedAs

export interface ProcessCommand {
  file: string
  args: string[]
  env: NodeJS.ProcessEnv
  cwd: string
  /** stdout and stderr are appended here; beyond ten megabytes the file of before is kept as .1 */
  log: string
}

/** Starts a process that outlives this one. */
export async function startDetached({ file, args, env, cwd, log }: ProcessCommand): Promise<ProcessId> {
  mkdirSync(dirname(log), { recursive: true })
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 10e6) renameSync(log, `${log}.1`)
  const output = openSync(log, 'a')
  try {
    const child = spawnWithoutDescriptors(['ignore', output, output], (stdio) =>
      spawn(file, args, { detached: true, stdio, env, cwd }),
    )
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    child.unref()
    const pid = child.pid as number
    return { pid, startedAs: readProcessStart(pid) ?? 'gone' }
  } finally {
    closeSync(output)
  }
}

/** Asks the process to end, and kills it after the grace period. */
export async function stop(id: ProcessId, graceMs: number): Promise<'gone already' | 'ended' | 'killed'> {
  if (!isAlive(id)) return 'gone already'
  sendSignal(id, 'SIGTERM')
  for (const start = performance.now(); performance.now() - start < graceMs; await sleep(25))
    if (!isAlive(id)) return 'ended'
  sendSignal(id, 'SIGKILL')
  while (isAlive(id)) await sleep(10)
  return 'killed'
}

function sendSignal({ pid }: ProcessId, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Checks whether this process listens on the port, not another that was faster; null if the system does not
 * report it.
 */
export function isListening(pid: number, port: number): boolean | null {
  try {
    if (process.platform !== 'linux') {
      return (
        execFileSync('lsof', ['-nP', '-a', '-p', String(pid), `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], {
          encoding: 'utf8',
        }).trim() !== ''
      )
    }
    const sockets = new Set(
      readdirSync(`/proc/${pid}/fd`).map((fd) => readLinkTarget(`/proc/${pid}/fd/${fd}`)),
    )
    const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
    const rows = ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1),
    )
    return rows.some((row) => {
      const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/)
      return state === listening && local.endsWith(`:${hexPort}`) && sockets.has(`socket:[${inode}]`)
    })
  } catch {
    return null
  }
}
const listening = '0A'

const readLinkTarget = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed meanwhile
  }
}
