/** What the settings of a model may be, beyond their shape: the same rules for a file and for HTTP. */
import type { ModelSettings } from '@stateeval/contracts'
import { faultOfBaseUrl } from './host.ts'
import { mayNameKey } from './key.ts'

const reserved = new Set(['messages', 'model', 'prompt', 'stream', 'stream_options', 'n', 'tools'])
/** Parameters that are not the caller's to set. */
export const reservedParameters = (parameters: Readonly<Record<string, unknown>>) =>
  Object.keys(parameters).filter((name) => reserved.has(name))

/** What is wrong, with the field as a JSON pointer; null where nothing is. */
export function faultOfSettings(
  { baseUrl, keyEnv, parameters = {}, api, prefix }: ModelSettings,
  env: Readonly<Record<string, string | undefined>>,
): { field: string; says: string } | null {
  const fault = faultOfBaseUrl(baseUrl)
  if (fault) return { field: '/baseUrl', says: `baseUrl ${fault}` }
  if (keyEnv !== undefined && !mayNameKey(keyEnv, env))
    return {
      field: '/keyEnv',
      says: `${keyEnv} may not be named as a key: name a variable STATEEVAL_KEY_*, or list it in STATEEVAL_KEY_NAMES of the service that asks the model`,
    }
  const [name] = reservedParameters(parameters)
  if (name) return { field: `/parameters/${name}`, says: `parameters.${name} is not yours to set; remove it` }
  if (prefix !== undefined && api !== 'completions')
    return { field: '/prefix', says: 'prefix is for api completions; remove it, or set api' }
  return null
}
