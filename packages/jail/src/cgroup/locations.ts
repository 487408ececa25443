/**
 * The locations of this process’s control groups, by controller. Version 2 has one tree for all, version 1
 * one for each, and a machine may mix them. Inside a container, the paths of /proc/self/cgroup may be the
 * host’s, so mounts decide.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type CgroupController = 'memory' | 'pids' | 'cpu' | 'cpuacct'

export interface GroupLocation {
  version: 1 | 2
  /** The group that this process is in. */
  folder: string
  /** The top of what can be seen of the tree. */
  top: string
}

interface CgroupMount {
  type: 'cgroup' | 'cgroup2'
  root: string
  point: string
  options: string[]
}

/**
 * Finds locations by controller; a missing one does not exist. `root` is the prefix of /proc and mount
 * points, for tests.
 */
export function findOwnLocations(root = '/'): Partial<Record<CgroupController, GroupLocation>> {
  const mounts = parseMounts(readText(join(root, 'proc/self/mountinfo')))
  const paths = parseGroups(readText(join(root, 'proc/self/cgroup')))
  const locations: Partial<Record<CgroupController, GroupLocation>> = {}
  const at = (mount: CgroupMount, path: string): GroupLocation => {
    const top = join(root, mount.point)
    const below =
      mount.root === '/'
        ? path
        : path === mount.root || path.startsWith(`${mount.root}/`)
          ? path.slice(mount.root.length)
          : ''
    const folder = join(top, below)
    return { version: mount.type === 'cgroup' ? 1 : 2, folder: existsSync(folder) ? folder : top, top }
  }
  const unified = mounts.find(({ type }) => type === 'cgroup2')
  if (unified) {
    const place = at(unified, paths.get('') ?? '/')
    const controllers = readText(join(place.folder, 'cgroup.controllers')).trim().split(/\s+/)
    for (const controller of ['memory', 'pids', 'cpu'] as const)
      if (controllers.includes(controller)) locations[controller] = place
    // CPU time is counted in any group of version 2.
    if (locations.memory) locations.cpuacct = place
  }
  for (const controller of ['memory', 'pids', 'cpu', 'cpuacct'] as const) {
    const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller))
    if (mount) locations[controller] = at(mount, paths.get(controller) ?? '/')
  }
  return locations
}

/** From the group up to the visible top: each of them may set a limit. */
export function listUpwards({ folder, top }: GroupLocation): string[] {
  const folders = [folder]
  for (let at = folder; at !== top && at.startsWith(top) && at !== '/';) folders.push((at = join(at, '..')))
  return folders
}

/** See proc_pid_mountinfo(5): fields up to a lone dash, then type, source and options of the file system. */
function parseMounts(mountinfo: string): CgroupMount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before, after] = line.split(' - ')
    const [, , , root, point] = before?.split(' ') ?? []
    const [type, , options] = after?.split(' ') ?? []
    if (root === undefined || point === undefined || (type !== 'cgroup' && type !== 'cgroup2')) return []
    return [{ type, root, point, options: (options ?? '').split(',') }]
  })
}

/** Lines of `id:controllers:path`; version 2 is the line without controllers. */
function parseGroups(cgroup: string): Map<string, string> {
  const paths = new Map<string, string>()
  for (const line of cgroup.split('\n')) {
    const [, controllers, ...path] = line.split(':')
    if (controllers !== undefined)
      for (const controller of controllers.split(',')) paths.set(controller, path.join(':'))
  }
  return paths
}

/** A file’s text; empty if it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
