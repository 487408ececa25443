/**
 * Live APIs, which receive the recorded requests of episodes. Only the operator of the service declares
 * them, in a file.
 */
import Type, { type Static } from 'typebox'
import { ModelSettings } from './model.ts'
import { recordOf } from './basics/record.ts'

const { baseUrl, keyEnv, concurrency, requestsPerMinute, retries, timeoutMs } = ModelSettings.properties
const header = '^[A-Za-z][A-Za-z0-9-]{0,63}$'

/** How to reach a live API. */
export const LiveApi = Type.Object(
  {
    baseUrl,
    keyEnv,
    keyHeader: Type.Optional(
      Type.String({
        pattern: header,
        description: 'The header that contains the key unchanged. Default: authorization, as a bearer token',
      }),
    ),
    headers: Type.Optional(
      recordOf(Type.String({ maxLength: 1000, pattern: '^[\\x20-\\x7e]*$' }), {
        names: Type.String({ pattern: header }),
        description: 'Sent with each request',
      }),
    ),
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
