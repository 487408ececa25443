/**
 * An SDK client for one model and one request. Everything that must hold before the key may be used is
 * checked here.
 */
import type { ModelSettings } from '@stateeval/contracts'
import OpenAI from 'openai'
import { findBaseUrlFault } from './base-url.ts'
import { defaultTimeoutMs } from './classify.ts'
import { readExtras } from './extras.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import type { NetworkRules } from './networks.ts'

export interface EndpointOptions {
  /** The environment from which keys, and the hosts that they are for, are read at call time. */
  env: Readonly<Record<string, string | undefined>>
  networks: NetworkRules
  transport: typeof fetch
}
/** Sends a request, and hides secrets in the response. */
export interface EndpointConnection {
  client: OpenAI
  hide: (text: string) => string
}
type EndpointResolution =
  | ({ ok: true } & EndpointConnection)
  | { ok: false; kind: 'key' | 'host'; reason: string }

export function openEndpoint(
  settings: ModelSettings,
  { env, networks, transport }: EndpointOptions,
): EndpointResolution {
  const { baseUrl, timeoutMs = defaultTimeoutMs } = settings
  const fault = findBaseUrlFault(baseUrl, networks)
  if (fault !== null) return { ok: false, kind: 'host', reason: `the base URL ${fault}` }
  const extras = readExtras(settings, env)
  if (!extras.ok) return { ok: false, kind: 'key', reason: extras.reason }
  const client = new OpenAI({
    baseURL: baseUrl,
    // The SDK never has the key: it is put on the request that was checked.
    apiKey: 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    fetch: createGuardedFetch({ baseUrl, extras, networks, transport }),
  })
  return { ok: true, client, hide: extras.hide }
}
