/**
 * The parent group of the runners' groups: this process's group or, in a container of version 2, the
 * visible top.
 */
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { NoCgroup } from './cgroup.ts'
import { findOwnLocations, readText, type CgroupController, type GroupLocation } from './locations.ts'

export interface ParentCgroup {
  version: 1 | 2
  /** Folders of the groups, by controller; the same folder for all in version 2. */
  folders: Record<Exclude<CgroupController, 'cpu'>, string> & { cpu?: string }
  /** Prefix of our groups' names: tells to which process they belong. */
  prefix: string
}

/**
 * Group for the processes of a container, since in version 2 a group that has groups below it may hold none
 * itself.
 */
const leaf = 'stateeval-host'
const ours = /^stateeval-(\d+)-(\d+)-/
const parents = new Map<string, ParentCgroup | NoCgroup>()

/** Found once per process; the first call removes remains of earlier processes. */
export function prepareParent(root: string): ParentCgroup | NoCgroup {
  const parent = parents.get(root) ?? prepare(root)
  parents.set(root, parent)
  return parent
}

function prepare(root: string): ParentCgroup | NoCgroup {
  const { memory, pids, cpuacct, cpu } = findOwnLocations(root)
  if (!memory || !pids || !cpuacct) {
    const missing = Object.entries({ memory, pids, cpuacct }).filter(([, place]) => !place)
    return { unavailable: `no control groups are mounted for ${missing.map(([name]) => name).join(', ')}` }
  }
  if (new Set([memory.version, pids.version, cpuacct.version]).size > 1)
    return { unavailable: 'memory and processes are in control groups of different versions' }
  const prefix = `stateeval-${process.pid}-${startTime(root, process.pid)}-`
  try {
    const parent: ParentCgroup =
      memory.version === 2
        ? enableUnified(memory, prefix)
        : {
            version: 1,
            folders: {
              memory: memory.folder,
              pids: pids.folder,
              cpuacct: cpuacct.folder,
              ...(cpu && { cpu: cpu.folder }),
            },
            prefix,
          }
    sweepGroups(parent, root)
    return tryParent(parent)
  } catch (error) {
    return { unavailable: `control groups cannot be changed by this user: ${(error as Error).message}` }
  }
}

/** Gives groups below ours the controllers. In a container its processes move into their own group first. */
function enableUnified({ folder, top }: GroupLocation, prefix: string): ParentCgroup {
  const above = basename(folder) === leaf ? dirname(folder) : folder
  const missing = ['memory', 'pids', 'cpu'].filter(
    (controller) =>
      has(above, 'cgroup.controllers', controller) && !has(above, 'cgroup.subtree_control', controller),
  )
  if (missing.length > 0) {
    const enable = () =>
      writeFileSync(
        join(above, 'cgroup.subtree_control'),
        missing.map((controller) => `+${controller}`).join(' '),
      )
    try {
      enable()
    } catch (error) {
      // Only where all that can be seen is ours to order: the top of a container. Elsewhere processes of
      // others may be in it.
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || above !== top) throw error
      mkdirSync(join(above, leaf), { recursive: true })
      for (const pid of readText(join(above, 'cgroup.procs')).split('\n').filter(Boolean))
        writeFileSync(join(above, leaf, 'cgroup.procs'), pid)
      enable()
    }
  }
  return { version: 2, folders: { memory: above, pids: above, cpuacct: above, cpu: above }, prefix }
}

const has = (folder: string, file: string, word: string) =>
  readText(join(folder, file)).trim().split(/\s+/).includes(word)

/** A group made and removed: permissions are not all that can stand against it. */
function tryParent(parent: ParentCgroup): ParentCgroup {
  for (const folder of new Set(Object.values(parent.folders))) {
    const path = join(folder, `${parent.prefix}trial`)
    mkdirSync(path)
    rmdirSync(path)
  }
  return parent
}

/** Removes groups of processes of ours that are no more, and ends what is still in them. */
function sweepGroups({ folders }: ParentCgroup, root: string) {
  for (const folder of new Set(Object.values(folders)))
    for (const name of readdirSync(folder)) {
      const [, pid, start] = ours.exec(name) ?? []
      if (pid === undefined || startTime(root, Number(pid)) === start) continue
      for (const pidText of readText(join(folder, name, 'cgroup.procs'))
        .split('\n')
        .filter(Boolean))
        attemptQuietly(() => process.kill(Number(pidText), 'SIGKILL'))
      attemptQuietly(() => rmdirSync(join(folder, name)))
    }
}

function attemptQuietly(action: () => void) {
  try {
    action()
  } catch {
    // Somebody was faster, or it takes a moment: the next start tries again.
  }
}

/** Clock ticks from the machine’s start to the process’s: with the pid it names a process for ever. */
function startTime(root: string, pid: number): string {
  // The name in brackets may hold anything: fields are counted after it.
  return (
    readText(join(root, 'proc', String(pid), 'stat'))
      .split(') ')
      .at(-1)!
      .split(' ')[19] ?? 'gone'
  )
}
