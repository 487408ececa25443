/** Which environment variables may be named as a model's key, and reading one when it is needed. Keys are never stored. */

const prefix = 'STATEEVAL_KEY_'
type Environment = Readonly<Record<string, string | undefined>>

/** Whether a variable may be named: STATEEVAL_KEY_*, or one listed in STATEEVAL_KEY_NAMES (separated by commas). */
export function mayNameKey(name: string, env: Environment): boolean {
  // The list itself is no key.
  if (name === 'STATEEVAL_KEY_NAMES') return false
  if (name.startsWith(prefix) && name.length > prefix.length) return true
  const listed = (env.STATEEVAL_KEY_NAMES ?? '').split(',').map((item) => item.trim())
  return listed.includes(name)
}

export type KeyResult = { ok: true; key: string | undefined } | { ok: false; reason: string }

/** The key at call time; undefined where the model needs none. The reason names the variable, never its value. */
export function readKey(name: string | undefined, env: Environment): KeyResult {
  if (name === undefined) return { ok: true, key: undefined }
  if (!mayNameKey(name, env))
    return { ok: false, reason: `${name} may not be named as a key; use STATEEVAL_KEY_*, or list it in STATEEVAL_KEY_NAMES` }
  const key = env[name]?.trim()
  return key ? { ok: true, key } : { ok: false, reason: `${name} is not set in the environment of the evaluation service` }
}
