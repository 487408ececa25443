/** What a process and all its descendants use, as Linux counts it. */
import { readFileSync, readdirSync } from 'node:fs'

export interface Usage {
  /** Memory that is the processes’ own: shared pages of binary and libraries aren’t counted. */
  memoryBytes: number
  cpuMs: number
  /** Processes and threads. */
  tasks: number
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
  const total: Usage = { memoryBytes: 0, cpuMs: 0, tasks: 0 }
  for (const pid of descendants(root)) {
    const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number)
    total.memoryBytes += (resident - shared) * pageBytes
    // The name in brackets may hold spaces: fields are counted after it. utime, stime, and those of children that ended.
    const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)
    total.cpuMs += (ticks * 1000) / ticksPerSecond
    total.tasks += Number(fields[17] ?? 0)
  }
  return total
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
