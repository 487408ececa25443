/**
 * The environment variables that may be named as a model's key. A key is read when needed, and never
 * stored.
 */
import { findKeyHostFault, hostsSuffix } from './key-hosts.ts'

const prefix = 'STATEEVAL_KEY_'
type SecretEnvironment = Readonly<Record<string, string | undefined>>

/**
 * Tells whether a variable may be named: STATEEVAL_KEY_*, or one listed in STATEEVAL_KEY_NAMES (separated by
 * commas).
 */
export function canNameKey(name: string, env: SecretEnvironment): boolean {
  // The list itself is no key, nor are the lists of hosts.
  if (name === 'STATEEVAL_KEY_NAMES' || name.endsWith(hostsSuffix)) return false
  if (name.startsWith(prefix) && name.length > prefix.length) return true
  const listedNames = (env.STATEEVAL_KEY_NAMES ?? '').split(',').map((item) => item.trim())
  return name !== '' && listedNames.includes(name)
}

/** Why this variable may not be the key for this URL, whether it is set or not; null if it may. */
export function findKeyFault(name: string, url: URL, env: SecretEnvironment): string | null {
  if (!canNameKey(name, env))
    return `${name} is not allowed as a key. Name a variable STATEEVAL_KEY_*, or list it in STATEEVAL_KEY_NAMES of the service that asks the model`
  return findKeyHostFault(name, url, env)
}

type KeyResult = { ok: true; key: string | undefined } | { ok: false; reason: string }

/**
 * The key for a URL at call time; undefined if the model needs none. The reason names the variable, never
 * its value.
 */
export function readKey(name: string | undefined, url: URL, env: SecretEnvironment): KeyResult {
  if (name === undefined) return { ok: true, key: undefined }
  const fault = findKeyFault(name, url, env)
  if (fault !== null) return { ok: false, reason: fault }
  const key = env[name]?.trim()
  return key
    ? { ok: true, key }
    : { ok: false, reason: `${name} is not set in the environment of the service that asks the model` }
}
