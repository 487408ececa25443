/** The usage of a process and all its descendants, as Linux counts it. */
import { readFileSync, readdirSync } from 'node:fs'

export interface ProcessUsage {
  /**
   * Memory that is the processes’ own, also what they share with one another: pages of files, as of binary
   * and libraries, aren’t counted. What forks share counts for each of them, see readOwnMemory.
   */
  memoryBytes: number
  cpuMs: number
  /** Processes and threads. */
  tasks: number
  /**
   * How long each process could have computed and didn’t get a core, in milliseconds; empty where the kernel
   * doesn’t tell.
   */
  starvedMs: ReadonlyMap<number, number>
}

const ticksPerSecond = 100

/** Processes from the root down; empty if the root has ended. */
export function listDescendants(root: number): number[] {
  const pids: number[] = []
  for (const open = [root]; open.length > 0;) {
    const pid = open.pop()!
    const threads = list(`/proc/${pid}/task`)
    if (threads.length === 0) continue
    pids.push(pid)
    for (const thread of threads)
      for (const child of read(`/proc/${pid}/task/${thread}/children`).split(' '))
        if (child !== '') open.push(Number(child))
  }
  return pids
}

/** The children of a process’s first thread. */
export const listChildren = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((child) => child !== '')
    .map(Number)

export const measureUsage = (root: number): ProcessUsage => sumUsage(listDescendants(root))

/** The usage of these processes, without searching for others. */
export function sumUsage(pids: readonly number[]): ProcessUsage {
  const starvedMs = new Map<number, number>()
  const total: ProcessUsage = { memoryBytes: 0, cpuMs: 0, tasks: 0, starvedMs }
  for (const pid of pids) {
    total.memoryBytes += readMemory(pid)
    // The name in brackets may hold spaces: fields are counted after it. utime, stime, and those of children
    // that ended.
    const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)
    total.cpuMs += (ticks * 1000) / ticksPerSecond
    total.tasks += Number(fields[17] ?? 0)
    const waited = Number(read(`/proc/${pid}/schedstat`).split(' ')[1] ?? Number.NaN)
    if (!Number.isNaN(waited)) starvedMs.set(pid, waited / 1e6)
  }
  return total
}

/** In bytes, as in usage; 0 for an ended process. Takes a few microseconds. */
export function readMemory(pid: number): number {
  const status = read(`/proc/${pid}/status`)
  return parseKibibytes(status, 'RssAnon') + parseKibibytes(status, 'RssShmem')
}

/**
 * The same memory with each page counted once, for any number of forks that share it; undefined if the
 * kernel does not report it. The kernel walks through all page tables: up to a millisecond per process.
 */
export function readOwnMemory(root: number): number | undefined {
  let bytes = 0
  for (const pid of listDescendants(root)) {
    const shares = read(`/proc/${pid}/smaps_rollup`)
    if (shares.includes('Pss_Anon:'))
      bytes += parseKibibytes(shares, 'Pss_Anon') + readSharedMemory(pid, parseKibibytes(shares, 'Pss_Shmem'))
    // One that ended meanwhile has none.
    else if (read(`/proc/${pid}/statm`).startsWith('0') || list(`/proc/${pid}/task`).length === 0) continue
    else return undefined
  }
  return bytes
}

/**
 * Measures at most `maxBytes` bytes of files in memory: those that are mapped writable and shared. Others may
 * be a binary that stands in such a file, if the folder of the runtime is in memory.
 */
function readSharedMemory(pid: number, maxBytes: number): number {
  if (maxBytes === 0) return 0
  let bytes = 0
  let counts = false
  for (const line of read(`/proc/${pid}/smaps`).split('\n')) {
    const mapping = /^[0-9a-f]+-[0-9a-f]+ ...([sp]) /.exec(line)
    if (mapping) counts = mapping[1] === 's'
    else if (counts && line.startsWith('Pss:')) bytes += parseKibibytes(line, 'Pss')
  }
  return Math.min(maxBytes, bytes)
}

/** A line `name:  12 kB`, in bytes. */
function parseKibibytes(text: string, name: string): number {
  const at = text.indexOf(`${name}:`)
  return at < 0 ? 0 : Number.parseInt(text.slice(at + name.length + 1), 10) * 1024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
