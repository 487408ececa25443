/** Where this checkout and its state are. Other commands ask `serviceUrl` where to send their requests. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ServiceName } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { isAlive } from './process.ts'
import { readState } from './state.ts'

/** The checkout that this code is part of. */
export const checkout = resolve(import.meta.dirname, '../../../..')

/**
 * The folder of everything that runs and is stored on this machine: STATEEVAL_HOME, else .stateeval of the
 * checkout.
 */
export const homeFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env.STATEEVAL_HOME || join(checkout, '.stateeval'))

/** The pinned Node of node_modules where npm brought it, else the one that runs this. */
export function pinnedNode(): string {
  for (let folder = checkout; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules/.bin/node')
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) return process.execPath
  }
}

/**
 * The variable that says where a service of an installation elsewhere is; the public face has the short one.
 */
export const variableOf = (service: ServiceName) =>
  service === 'evaluation' ? 'STATEEVAL_URL' : `STATEEVAL_${service.toUpperCase().replaceAll('-', '_')}_URL`

/**
 * Where a service answers: what STATEEVAL_URL (evaluation) or STATEEVAL_<SERVICE>_URL says; else what `up`
 * started here.
 * @throws Failure where it isn't running, or the variable holds no address
 */
export function serviceUrl(service: ServiceName, env: NodeJS.ProcessEnv = process.env): string {
  const url = env[variableOf(service)]
  const { protocol = '', username, password } = (url && URL.parse(url)) || {}
  // Not repeated: it may hold a password.
  if (url && (!/^https?:$/.test(protocol) || username || password))
    throw new Failure(
      `${variableOf(service)} is not a URL such as https://stateeval.example.com. Leave out user and password; put a key into STATEEVAL_API_KEY.`,
    )
  if (url) return url.replace(/(?<!\/)\/+$/, '')
  const part = readState(homeFolder(env))?.parts.find(({ name }) => name === service)
  if (part && isAlive(part)) return part.urls.http as string
  throw new Failure(
    `${service} isn't running on this machine: run 'npx stateeval up', or set ${variableOf(service)} to its URL.`,
  )
}
