/**
 * A control group for one runner: the kernel’s limits on memory and processes, which cannot be evaded
 * between two checks, and its count of CPU time, which includes ended processes. It is created before the
 * runner starts, and removed after.
 */
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareParent, type ParentCgroup } from './parent.ts'
import { readText } from './locations.ts'

export interface CgroupLimits {
  memoryMiB: number
  /** Processes and threads. */
  pids: number
  /** Cores that it may keep busy; by default, and where it can’t be set, as many as there are. */
  cpuQuota?: number
}

export interface ControlGroup {
  /**
   * Words to put before a command so that it starts inside. That takes the kernel up to 30 ms (it waits until
   * no processor looks at the old group), which a runner pays before its first program and our own event loop
   * never.
   */
  entering: readonly string[]
  /**
   * Takes a running process in, with what it starts from then on. Children that it has already stay where
   * they are.
   */
  add(pid: number): Promise<void>
  /** Other limits from now on. One that the kernel can't keep, since more is in use, stays as it was. */
  confine(limits: CgroupLimits): void
  /** The processes in it. */
  pids(): number[]
  cpuMs(): number
  /** Bytes now and at most so far, page cache and files in memory included. */
  memory(): number
  memoryPeak(): number
  /** How often the kernel ended a process here for want of memory. */
  oomKills(): number
  /** How often a process could not be made because there were too many. */
  forksDenied(): number
  /** Ends all processes in it; none can be made meanwhile. */
  kill(): void
  /**
   * Ends what is left and removes it. True when it is gone; otherwise the sweep of a later start finds it.
   */
  close(): Promise<boolean>
}

export interface NoCgroup {
  unavailable: string
}

const removeWithinMs = 2000
const periodUs = 100_000
/** Writes the shell’s own pid into so many files, then becomes the command. */
const enterScript =
  'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ >"$1" || exit 125; shift; n=$((n - 1)); done; exec "$@"'
let groupCount = 0

/**
 * Never throws: if groups cannot be created, it reports why. The name is for people: letters, digits and
 * dashes.
 */
export function openCgroup(name: string, limits: CgroupLimits, root = '/'): ControlGroup | NoCgroup {
  const parent = prepareParent(root)
  if ('unavailable' in parent) return parent
  const folder = `${parent.prefix}${++groupCount}-${name.replace(/[^A-Za-z0-9-]/g, '-').slice(0, 40)}`
  const folders = [...new Set(Object.values(parent.folders))].map((above) => join(above, folder))
  try {
    for (const path of folders) mkdirSync(path)
    limit(parent, folder, limits)
  } catch (error) {
    remove(folders)
    return { unavailable: `a control group could not be made: ${(error as Error).message}` }
  }
  return openOwnCgroup(parent, folder, folders)
}

function limit(
  { version, folders }: ParentCgroup,
  folder: string,
  { memoryMiB, pids, cpuQuota }: CgroupLimits,
) {
  const set = (above: string, file: string, value: string | number) =>
    writeFileSync(join(above, folder, file), String(value))
  const may = (...words: Parameters<typeof set>) => {
    try {
      set(...words)
    } catch {
      // Kernels without swap accounting, or before 4.19, lack the file; a group above may have fewer cores to
      // give.
    }
  }
  const bytes = memoryMiB * 1024 * 1024
  set(folders.pids, 'pids.max', pids)
  if (version === 2) {
    set(folders.memory, 'memory.max', bytes)
    may(folders.memory, 'memory.swap.max', 0)
    may(folders.memory, 'memory.oom.group', 1)
    if (cpuQuota !== undefined && folders.cpu !== undefined)
      may(folders.cpu, 'cpu.max', `${Math.round(cpuQuota * periodUs)} ${periodUs}`)
  } else {
    // Memory and swap together: none is left for swap. Neither may pass the other, whether both rise or fall.
    may(folders.memory, 'memory.limit_in_bytes', bytes)
    may(folders.memory, 'memory.memsw.limit_in_bytes', bytes)
    set(folders.memory, 'memory.limit_in_bytes', bytes)
    may(folders.memory, 'memory.swappiness', 0)
    if (cpuQuota !== undefined && folders.cpu !== undefined) {
      may(folders.cpu, 'cpu.cfs_period_us', periodUs)
      may(folders.cpu, 'cpu.cfs_quota_us', Math.round(cpuQuota * periodUs))
    }
  }
}

function openOwnCgroup(
  { version, folders: above }: ParentCgroup,
  folder: string,
  folders: readonly string[],
): ControlGroup {
  const read = (parent: string, file: string) => readText(join(parent, folder, file))
  const field = (contents: string, name: string) =>
    Number(new RegExp(`^${name} (\\d+)`, 'm').exec(contents)?.[1] ?? 0)
  const unified = version === 2
  const pids = () => read(above.memory, 'cgroup.procs').split('\n').filter(Boolean).map(Number)
  const memory = () => Number(read(above.memory, unified ? 'memory.current' : 'memory.usage_in_bytes'))
  let largest = 0
  /** The limits that are in force, where the kernel has taken them. */
  let currentLimits: string | undefined
  function kill() {
    try {
      writeFileSync(join(above.pids, folder, 'pids.max'), '0')
      if (unified) return writeFileSync(join(above.memory, folder, 'cgroup.kill'), '1')
    } catch {
      // It has been removed, or the kernel is older than 5.14.
    }
    pids().forEach(end)
  }
  return {
    confine(limits) {
      // Most programs have the same: five files are not written for each.
      const wantedLimits = JSON.stringify(limits)
      if (wantedLimits === currentLimits) return
      currentLimits = undefined
      try {
        limit({ version, folders: above, prefix: '' }, folder, limits)
        currentLimits = wantedLimits
      } catch {
        // More is in use than is allowed from now on: the watchdog sees that.
      }
    },
    entering: [
      'sh',
      '-c',
      enterScript,
      'sh',
      String(folders.length),
      ...folders.map((path) => join(path, 'cgroup.procs')),
    ],
    add: async (pid) => {
      for (const path of folders) await writeFile(join(path, 'cgroup.procs'), String(pid))
    },
    pids,
    cpuMs: () =>
      unified
        ? field(read(above.cpuacct, 'cpu.stat'), 'usage_usec') / 1000
        : Number(read(above.cpuacct, 'cpuacct.usage')) / 1e6,
    memory,
    // Before Linux 5.19 version 2 keeps no peak: the most that was seen here then stands for it.
    memoryPeak: () =>
      (largest = Math.max(
        largest,
        Number(read(above.memory, unified ? 'memory.peak' : 'memory.max_usage_in_bytes')),
        memory(),
      )),
    oomKills: () => field(read(above.memory, unified ? 'memory.events' : 'memory.oom_control'), 'oom_kill'),
    forksDenied: () => field(read(above.pids, 'pids.events'), 'max'),
    kill,
    async close() {
      for (const until = performance.now() + removeWithinMs; performance.now() < until;) {
        kill()
        if (remove(folders)) return true
        // A process that has been ended leaves its group a moment later.
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return false
    },
  }
}

function end(pid: number) {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}

function remove(folders: readonly string[]): boolean {
  return folders
    .map((path) => {
      try {
        rmdirSync(path)
        return true
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT'
      }
    })
    .every(Boolean)
}
