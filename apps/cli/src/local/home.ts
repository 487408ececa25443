/**
 * The locations of this checkout and its state. Commands get the addresses of services from `getServiceUrl`.
 */
import { constants, existsSync } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ServiceName } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { isAlive } from './process.ts'
import { readState } from './state.ts'

/** The checkout that contains this code. */
export const checkout = resolve(import.meta.dirname, '../../../..')

/**
 * The folder of everything that runs and is stored on this machine: STATEEVAL_HOME, otherwise .stateeval in
 * the checkout.
 */
export const getHomeFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env.STATEEVAL_HOME || join(checkout, '.stateeval'))

/**
 * Makes the home folder if it is missing.
 * @throws Failure if it cannot be written
 */
export async function prepareHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true })
    await access(home, constants.W_OK)
  } catch (error) {
    throw new Failure(
      `${home} cannot be written (${(error as NodeJS.ErrnoException).code}). Set STATEEVAL_HOME to a folder that can be.`,
    )
  }
}

/** The pinned Node from npm in node_modules, otherwise the current one. */
export function findPinnedNode(): string {
  for (let folder = checkout; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules/.bin/node')
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) return process.execPath
  }
}

/** The variable with the address of a service elsewhere; evaluation, the public one, has the short name. */
export const getServiceVariable = (service: ServiceName) =>
  service === 'evaluation' ? 'STATEEVAL_URL' : `STATEEVAL_${service.toUpperCase().replaceAll('-', '_')}_URL`

/**
 * The address of a service: STATEEVAL_URL (evaluation) or STATEEVAL_<SERVICE>_URL, otherwise the one that
 * `up` started here.
 * @throws Failure if it is not running, or the variable is not a valid address
 */
export function getServiceUrl(service: ServiceName, env: NodeJS.ProcessEnv = process.env): string {
  const url = env[getServiceVariable(service)]
  const { protocol = '', username, password } = (url && URL.parse(url)) || {}
  // Not repeated: it may hold a password.
  if (url && (!/^https?:$/.test(protocol) || username || password))
    throw new Failure(
      `${getServiceVariable(service)} is not a URL such as https://stateeval.example.com. Leave out user and password; put a key into STATEEVAL_API_KEY.`,
    )
  if (url) return url.replace(/(?<!\/)\/+$/, '')
  const part = readState(getHomeFolder(env))?.parts.find(({ name }) => name === service)
  if (part && isAlive(part)) return part.urls.http as string
  throw new Failure(
    `${service} isn't running on this machine: run 'npx stateeval up', or set ${getServiceVariable(service)} to its URL.`,
  )
}
