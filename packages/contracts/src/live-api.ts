/**
 * Live APIs, which receive the recorded requests of episodes. Only the operator of the service declares
 * them, in a file.
 */
import Type, { type Static } from 'typebox'
import { endpointExtras, ModelSettings } from './model.ts'

const { baseUrl, keyEnv, concurrency, requestsPerMinute, retries, timeoutMs } = ModelSettings.properties

/** How to reach a live API. */
export const LiveApi = Type.Object(
  {
    baseUrl,
    keyEnv,
    ...endpointExtras,
    concurrency,
    requestsPerMinute,
    retries,
    timeoutMs,
  },
  { additionalProperties: false },
)
export type LiveApi = Static<typeof LiveApi>

/** The name by which benchmarks call it. */
export const LiveApiName = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' })
