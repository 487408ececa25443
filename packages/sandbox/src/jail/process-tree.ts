/** What a process and all its descendants use, as Linux counts it. */
import { readFileSync, readdirSync } from 'node:fs'

export interface Usage {
  /**
   * Memory that is the processes’ own: shared pages of binary and libraries aren’t counted. What forks share counts for each
   * of them, see ownMemory.
   */
  memoryBytes: number
  cpuMs: number
  /** Processes and threads. */
  tasks: number
  /** How long each process could have computed and didn’t get a core, in milliseconds; empty where the kernel doesn’t tell. */
  starvedMs: ReadonlyMap<number, number>
}

const pageBytes = 4096
const ticksPerSecond = 100

/** Processes from the root down. Empty where the root has ended. */
export function descendants(root: number): number[] {
  const found: number[] = []
  for (let open = [root]; open.length > 0;) {
    const pid = open.pop()!
    const threads = list(`/proc/${pid}/task`)
    if (threads.length === 0) continue
    found.push(pid)
    for (const thread of threads)
      for (const child of read(`/proc/${pid}/task/${thread}/children`).split(' ')) if (child !== '') open.push(Number(child))
  }
  return found
}

export function usage(root: number): Usage {
  const starvedMs = new Map<number, number>()
  const total: Usage = { memoryBytes: 0, cpuMs: 0, tasks: 0, starvedMs }
  for (const pid of descendants(root)) {
    const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number)
    total.memoryBytes += (resident - shared) * pageBytes
    // The name in brackets may hold spaces: fields are counted after it. utime, stime, and those of children that ended.
    const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)
    total.cpuMs += (ticks * 1000) / ticksPerSecond
    total.tasks += Number(fields[17] ?? 0)
    const waited = Number(read(`/proc/${pid}/schedstat`).split(' ')[1] ?? Number.NaN)
    if (!Number.isNaN(waited)) starvedMs.set(pid, waited / 1e6)
  }
  return total
}

/**
 * The same memory with each page counted once, however many forks share it; undefined where the kernel doesn’t tell. It takes
 * the kernel a walk through all page tables: up to a millisecond for each process.
 */
export function ownMemory(root: number): number | undefined {
  let bytes = 0
  for (const pid of descendants(root)) {
    const found = /^Pss_Anon:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))
    if (found) bytes += Number(found[1]) * 1024
    // One that ended meanwhile has none.
    else if (read(`/proc/${pid}/statm`).startsWith('0') || list(`/proc/${pid}/task`).length === 0) continue
    else return undefined
  }
  return bytes
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
