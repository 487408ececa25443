/**
 * Whether an endpoint is there and takes the key, found out without a question that costs: by its list of
 * models.
 */
import type { ModelSettings } from '@stateeval/contracts'
import { classify, wasRefusedHere } from './classify.ts'
import { endpointOf } from './endpoint.ts'
import type { WireOptions } from './wire.ts'

const patienceMs = 5_000

/**
 * What a person has to do first, as a sentence; null where nothing is known against the model. Many endpoints
 * have no list of models, or don't show it: only a wrong key, and an endpoint that is down or may not be
 * asked, are told from it.
 */
export async function checkEndpoint(settings: ModelSettings, options: WireOptions): Promise<string | null> {
  const endpoint = endpointOf({ ...settings, timeoutMs: patienceMs }, options)
  if (!endpoint.ok) return endpoint.reason
  const { client, hide } = endpoint
  try {
    await client.models.list()
    return null
  } catch (error) {
    const failure = classify(error, settings, options.now, hide)
    const wrongKey = failure.status === 'refused' && (error as { status?: unknown }).status === 401
    const down = failure.status === 'transient' && failure.unreachable
    return wrongKey || down || wasRefusedHere(error) ? failure.reason : null
  }
}
