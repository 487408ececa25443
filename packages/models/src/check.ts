/**
 * Checks whether an endpoint is available and accepts the key, without a billed question: through its list
 * of models.
 */
import type { ModelSettings } from '@stateeval/contracts'
import { classify, wasRefusedHere } from './classify.ts'
import { endpointOf } from './endpoint.ts'
import type { WireOptions } from './wire.ts'

const patienceMs = 5_000

/**
 * A remedy as a sentence; null if no fault is known. Many endpoints do not list their models, so this
 * reveals only a wrong key, and an endpoint that is down or not allowed.
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
