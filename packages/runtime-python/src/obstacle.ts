/**
 * Why files of this machine cannot be used in a jail: its user may not read them, or the jail mounts
 * something else there.
 */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { InterpreterBind } from './interpreter.ts'

/** Places that are a jail’s own, over whatever the machine has there. */
const coveredPlaces = ['/tmp', '/dev', '/proc']

/** The first obstacle as a clause; undefined if there is none. */
export function findObstacle(binds: readonly InterpreterBind[]): string | undefined {
  for (const { source, target } of binds) {
    const obstacle = process.getuid?.() === 0 ? findClosedFolder(source) : findUnreadable(source)
    if (obstacle !== undefined) return obstacle
    const place = coveredPlaces.find((folder) => target.startsWith(`${folder}/`))
    if (place !== undefined) return `${target} is below ${place}, and each jail has a separate ${place}`
  }
  return undefined
}

/** Root’s jails run as another user, who sees what everyone may see. */
function findClosedFolder(path: string): string | undefined {
  const chain = [path]
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) chain.unshift(folder)
  for (const part of chain) {
    const stats = statSync(part)
    const needed = stats.isDirectory() ? (part === path ? 0o005 : 0o001) : 0o004
    if ((stats.mode & needed) !== needed)
      return `${part} is closed to other users (mode ${(stats.mode & 0o7777).toString(8).padStart(4, '0')}), and candidates run as an unprivileged one`
  }
  return undefined
}

function findUnreadable(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
