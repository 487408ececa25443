/** The identity of an endpoint: what was found about it holds as long as the identity does not change. */
import { computeContentId, type ModelSettings } from '@stateeval/contracts'

/** The hash of a model's address, name at the endpoint, wire, and what is added to each request. */
export const computeEndpointId = ({
  baseUrl,
  model,
  api = 'chat',
  dialect,
  headers,
  query,
}: ModelSettings): string => computeContentId({ baseUrl, model, api, dialect, headers, query })
