/** Where this checkout and its state are. Other commands ask `evaluationUrl` where to send their requests. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The checkout that this code is part of. */
export const checkout = resolve(import.meta.dirname, '../../../..')

/** The folder of everything that runs and is stored on this machine: STATEEVAL_HOME, else .stateeval of the checkout. */
export const homeFolder = (env: NodeJS.ProcessEnv = process.env): string => resolve(env.STATEEVAL_HOME || join(checkout, '.stateeval'))

/** The pinned Node of node_modules where npm brought it, else the one that runs this. */
export function pinnedNode(): string {
  for (let folder = checkout; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules/.bin/node')
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) return process.execPath
  }
}
