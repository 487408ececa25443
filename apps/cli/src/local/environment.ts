/** The environment of the services: this process's environment over the checkout's .env. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Failure } from '../command.ts'
import { removeByteOrderMark } from '../text-file.ts'
import { serviceSettings } from './service-settings.ts'

/** The environment, completed by the folder's .env if that exists; variables that are already set win. */
export function withDotEnv(folder: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  let text: string
  try {
    text = removeByteOrderMark(readFileSync(join(folder, '.env'), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return env
    throw new Failure(`${join(folder, '.env')} cannot be read: ${(error as Error).message}`)
  }
  return { ...parseEnv(text), ...env }
}

/**
 * The environment of a child process: without the key of this command's requests. The extra CA file slows
 * each start by an eighth of a second, so it is left out unless requested.
 */
export function createChildEnvironment(
  env: NodeJS.ProcessEnv,
  more: Record<string, string>,
): NodeJS.ProcessEnv {
  const {
    NODE_EXTRA_CA_CERTS: _,
    STATEEVAL_EXTRA_CA_CERTS: certificates,
    STATEEVAL_API_KEY: __,
    ...rest
  } = env
  return { ...rest, ...(certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {}), ...more }
}

/** A prefix for databases and streams on shared servers, unique to a checkout. */
export const deriveNamespace = (home: string, env: NodeJS.ProcessEnv): string =>
  env.STATEEVAL_NAMESPACE || `stateeval-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`

/** Variables that Node and its libraries read. */
const ofLibraries = /^(OTEL_.*|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|HTTPS?_PROXY|NO_PROXY)$/i

/** Variables that `up` sets for each service, whatever the environment says. */
const isGiven: readonly string[] = ['HOST', 'PORT']

/**
 * A hash of the variables that services read: their settings, the keys and hosts of models, and variables
 * of libraries. Others, such as those of this command (STATEEVAL_HOME, STATEEVAL_LOCAL_BINARY,
 * STATEEVAL_URL), never cause a restart.
 */
export const computeSettingsHash = (env: NodeJS.ProcessEnv): string => {
  const keys = (env.STATEEVAL_KEY_NAMES ?? '')
    .split(',')
    .flatMap((name) => [name.trim(), `${name.trim()}_HOSTS`])
  const isSetting = (name: string) => serviceSettings.includes(name) && !isGiven.includes(name)
  const set = Object.entries(env).filter(
    ([name]) =>
      isSetting(name) || name.startsWith('STATEEVAL_KEY_') || keys.includes(name) || ofLibraries.test(name),
  )
  return createHash('sha256')
    .update(JSON.stringify(set.sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')
    .slice(0, 12)
}
