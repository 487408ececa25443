/** Rules for a model's settings beyond their schema, the same for files and HTTP. */
import type { ModelSettings } from '@stateeval/contracts'
import { findBaseUrlFault } from './base-url.ts'
import { findExtrasFault } from './extras.ts'
import { canNameKey } from './key.ts'
import { listKeyHostFaults } from './key-hosts.ts'
import { type HostLists, type NetworkRules, createNetworks } from './networks.ts'

const reservedNames = new Set(['messages', 'model', 'prompt', 'stream', 'stream_options', 'n', 'tools'])
/** Parameters that are not the caller's to set. */
const listReservedParameters = (parameters: Readonly<Record<string, unknown>>) =>
  Object.keys(parameters).filter((name) => reservedNames.has(name))

/** The environment's rules for a model's settings. */
export interface ModelRules {
  /** The environment of who asks models: names of keys, and the hosts that they are for. */
  env: Readonly<Record<string, string | undefined>>
  networks: NetworkRules
}

/**
 * The rules of an environment; `networks` are the entries of STATEEVAL_MODEL_NETWORKS. Throws an error with
 * one line per fault.
 */
export function readRules(
  env: ModelRules['env'],
  networks: readonly string[],
  lists: HostLists = {},
): ModelRules {
  const faults = listKeyHostFaults(env, (name) => canNameKey(name, env))
  try {
    const rules = { env, networks: createNetworks(networks, lists) }
    if (faults.length === 0) return rules
  } catch (error) {
    faults.push((error as Error).message)
  }
  throw new Error(faults.join('\n'))
}

/** The fault, with the field as a JSON pointer; null if there is none. */
export function findSettingsFault(
  settings: ModelSettings,
  { env, networks }: ModelRules,
): { field: string; says: string } | null {
  const { baseUrl, parameters = {}, api = 'chat', prefix, systemRole } = settings
  const fault = findBaseUrlFault(baseUrl, networks)
  if (fault) return { field: '/baseUrl', says: `baseUrl ${fault}` }
  const wrongExtra = findExtrasFault(settings, env)
  if (wrongExtra) return wrongExtra
  const [name] = listReservedParameters(parameters)
  if (name) return { field: `/parameters/${name}`, says: `parameters.${name} cannot be set; remove it` }
  if (prefix !== undefined && api !== 'completions')
    return {
      field: '/prefix',
      says: 'prefix is supported by the completions API only; remove it, or set api',
    }
  if (systemRole !== undefined && api !== 'chat')
    return {
      field: '/systemRole',
      says: 'systemRole is supported by the chat API only; remove it, or set api',
    }
  return null
}
