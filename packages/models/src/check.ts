/**
 * Checks whether an endpoint is available and accepts the key, without a billed question: through its list
 * of models.
 */
import type { ModelSettings } from '@stateeval/contracts'
import { APIConnectionError } from 'openai'
import { classifyFailure, wasRefusedHere } from './classify.ts'
import { isCertificateFault, withoutTls } from './connection-faults.ts'
import { openEndpoint } from './endpoint.ts'
import type { WireOptions } from './wire.ts'

const patienceMs = 5_000

/**
 * A remedy as a sentence; null if no fault is known. Many endpoints do not list their models, so this
 * reveals only a wrong key, and an endpoint that is down, not allowed, or speaks another protocol.
 */
export async function checkEndpoint(settings: ModelSettings, options: WireOptions): Promise<string | null> {
  const endpoint = openEndpoint({ ...settings, timeoutMs: patienceMs }, options)
  if (!endpoint.ok) return endpoint.reason
  const { client, hide } = endpoint
  try {
    await client.models.list()
    return null
  } catch (error) {
    const failure = classifyFailure(error, settings, options.now, hide)
    const status = (error as { status?: unknown }).status
    const wrongKey = failure.status === 'refused' && status === 401
    const isDown = failure.status === 'transient' && failure.unreachable
    const isBroken = failure.status === 'refused' && failure.kind === 'host' && status === undefined
    if (wrongKey || isDown || isBroken || wasRefusedHere(error)) return failure.reason
    // A server of the other protocol hangs up, or answers 400.
    return status === 400 || error instanceof APIConnectionError
      ? findOtherProtocol(settings.baseUrl, options)
      : null
  }
}

/** Why the protocol of a base URL is wrong: its port speaks the other one; null if it does not. */
async function findOtherProtocol(baseUrl: string, { transport }: WireOptions): Promise<string | null> {
  const url = new URL(baseUrl)
  const isPlain = url.protocol === 'http:'
  const other = `${isPlain ? 'https' : 'http'}://${url.host}/`
  const reason = isPlain
    ? `${baseUrl} is at a port that speaks TLS: write https:// in baseUrl`
    : `${baseUrl} is at a port that ${withoutTls}`
  try {
    // Without the key: nobody has allowed it over this protocol.
    const response = await transport(other, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    })
    await response.body?.cancel()
    // A port that speaks TLS may answer plain requests with 400.
    return isPlain || response.status !== 400 ? reason : null
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
    // A certificate that is not trusted is one all the same.
    return isPlain && typeof code === 'string' && isCertificateFault(code) ? reason : null
  }
}
