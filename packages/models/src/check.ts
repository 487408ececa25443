/** Whether an endpoint is there and takes the key, found out without a question that costs: by its list of models. */
import type { ModelSettings } from '@stateeval/contracts'
import { classify } from './classify.ts'
import { checkHost } from './host.ts'
import { readKey } from './key.ts'
import { clientFor, type WireOptions } from './wire.ts'

const patienceMs = 5_000

/**
 * What a person has to do first, as a sentence; null where nothing is known against the model. Many endpoints have no
 * list of models, or don't show it: only a wrong key and an endpoint that is down are told from it.
 */
export async function checkEndpoint(settings: ModelSettings, { env, now, resolve, fetch }: WireOptions): Promise<string | null> {
  const found = readKey(settings.keyEnv, env)
  if (!found.ok) return found.reason
  const host = await checkHost(settings.baseUrl, resolve)
  if (!host.ok) return host.away ? `${host.reason}; correct baseUrl, or see to the network` : host.reason
  try {
    await clientFor({ ...settings, timeoutMs: patienceMs }, found.key, fetch).models.list()
    return null
  } catch (error) {
    const failure = classify(error, settings, now)
    const wrongKey = failure.status === 'refused' && (error as { status?: unknown }).status === 401
    const down = failure.status === 'transient' && failure.unreachable
    return wrongKey || down ? (found.key ? failure.reason.replaceAll(found.key, '[key]') : failure.reason) : null
  }
}
