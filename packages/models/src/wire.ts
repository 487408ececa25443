/**
 * One request to an OpenAI-compatible endpoint, through the official SDK, without retries, limits or
 * storage.
 */
import { classify, defaultTimeoutMs, Flood, tooLate } from './classify.ts'
import { endpointOf, type EndpointOptions } from './endpoint.ts'
import type { Try } from './request.ts'
import { timed } from './timed.ts'
import { floodAnswer } from './wire/answer.ts'
import { chat } from './wire/chat.ts'
import { completion, lacking } from './wire/completion.ts'
import { embedding } from './wire/embedding.ts'

export interface WireOptions extends EndpointOptions {
  /** Milliseconds since 1970, for Retry-After dates. */
  now: () => number
}

const longestReason = 700
const wires = { chat, completions: completion, embeddings: embedding }

export function createWire(options: WireOptions): Try {
  return async ({ settings }, request, signal) => {
    const endpoint = endpointOf(settings, options)
    if (!endpoint.ok) return { status: 'refused', kind: endpoint.kind, reason: endpoint.reason }
    const lack = settings.api === 'completions' ? lacking(request) : null
    if (lack !== null) return { status: 'refused', kind: 'request', reason: lack }
    // The SDK's time ends with the first byte; a stream that stalls would never end.
    const time = timed(signal, settings.timeoutMs ?? defaultTimeoutMs)
    try {
      const answer = await wires[settings.api ?? 'chat'](endpoint, settings, request, time.signal)
      return { status: 'done', ...answer }
    } catch (error) {
      if (time.late) return tooLate(settings)
      const flood = error instanceof Flood ? floodAnswer(request) : null
      if (flood) return { status: 'done', ...flood }
      const failure = classify(error, settings, options.now, endpoint.hide)
      return { ...failure, reason: failure.reason.slice(0, longestReason) }
    } finally {
      time.clear()
    }
  }
}
