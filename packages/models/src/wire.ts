/** One request to an OpenAI-compatible endpoint, through the official SDK. Retries, limits and answers kept are others' work. */
import type { ModelSettings } from '@stateeval/contracts'
import OpenAI from 'openai'
import { classify, defaultTimeoutMs, tooLate } from './classify.ts'
import { checkHost, type Resolve } from './host.ts'
import { readKey } from './key.ts'
import type { ModelAnswer, Try } from './request.ts'
import { chat } from './wire/chat.ts'
import { completion } from './wire/completion.ts'

export interface WireOptions {
  /** Where keys are read at call time. */
  env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970, for Retry-After dates. */
  now: () => number
  resolve?: Resolve | undefined
  fetch?: typeof fetch | undefined
}

const longestReason = 500

export function createWire({ env, now, resolve, fetch }: WireOptions): Try {
  return async ({ settings }, request, signal) => {
    const found = readKey(settings.keyEnv, env)
    if (!found.ok) return { status: 'refused', kind: 'key', reason: found.reason }
    const { key } = found
    const hide = (text: string) => (key ? text.replaceAll(key, '[key]') : text)
    const host = await checkHost(settings.baseUrl, resolve)
    if (!host.ok)
      return host.away
        ? { status: 'transient', unreachable: true, reason: `${host.reason}; correct baseUrl, or see to the network` }
        : { status: 'refused', kind: 'host', reason: host.reason }
    // The SDK's time ends with the first byte; a stream that stalls would never end.
    const late = AbortSignal.timeout(settings.timeoutMs ?? defaultTimeoutMs)
    try {
      const client = clientFor(settings, key, fetch)
      const ask = settings.api === 'completions' ? completion : chat
      const answer = await ask(client, settings, request, AbortSignal.any([signal, late]))
      return { status: 'done', ...withoutKey(answer, hide) }
    } catch (error) {
      if (late.aborted && !signal.aborted) return tooLate(settings)
      const failure = classify(error, settings, now)
      return { ...failure, reason: hide(failure.reason).slice(0, longestReason) }
    }
  }
}

export const clientFor = (
  { baseUrl, timeoutMs = defaultTimeoutMs }: ModelSettings,
  key: string | undefined,
  fetch: typeof globalThis.fetch | undefined,
) =>
  new OpenAI({
    baseURL: baseUrl,
    apiKey: key ?? 'none',
    maxRetries: 0,
    timeout: timeoutMs,
    organization: null,
    project: null,
    logLevel: 'off',
    fetchOptions: { redirect: 'manual' },
    ...(fetch && { fetch }),
  })

/** An endpoint may say the key back, in an answer too. */
function withoutKey(answer: ModelAnswer, hide: (text: string) => string): ModelAnswer {
  const { text, toolCalls } = answer
  return {
    ...answer,
    text: hide(text),
    ...(toolCalls && { toolCalls: toolCalls.map((call) => ({ ...call, arguments: hide(call.arguments) })) }),
  }
}
