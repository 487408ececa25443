/**
 * An SDK client for one model and one request. Everything that must hold before the key may be used is
 * checked here.
 */
import type { ModelSettings } from '@stateeval/contracts'
import OpenAI from 'openai'
import { faultOfBaseUrl } from './base-url.ts'
import { defaultTimeoutMs } from './classify.ts'
import { readExtras } from './extras.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { Networks } from './networks.ts'

export interface EndpointOptions {
  /** The environment from which keys, and the hosts that they are for, are read at call time. */
  env: Readonly<Record<string, string | undefined>>
  networks: Networks
  transport: typeof fetch
}
/** Sends a request, and hides secrets in what comes back. */
export interface Connection {
  client: OpenAI
  hide: (text: string) => string
}
type Endpoint = ({ ok: true } & Connection) | { ok: false; kind: 'key' | 'host'; reason: string }

export function endpointOf(settings: ModelSettings, { env, networks, transport }: EndpointOptions): Endpoint {
  const { baseUrl, timeoutMs = defaultTimeoutMs } = settings
  const fault = faultOfBaseUrl(baseUrl, networks)
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
    fetch: guardedFetch({ baseUrl, extras, networks, transport }),
  })
  return { ok: true, client, hide: extras.hide }
}
