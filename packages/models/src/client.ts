/**
 * Chat with an OpenAI-compatible endpoint. Retries are ours: by time and by Retry-After, never for what another try
 * can't change. How a call ended is a value, and no text of it holds the key.
 */
import type { Message, ModelSettings, Usage } from '@stateeval/contracts'
import OpenAI, { APIConnectionError, APIError } from 'openai'
import { createGate, type Gate } from './gate.ts'
import { checkHost, type Resolve } from './host.ts'
import { readKey } from './key.ts'

/** `refused`: another try would not help. `failed`: given up after the retries. */
export type Reply =
  { status: 'done'; text: string; usage: Usage; retries: number } | { status: 'refused' | 'failed'; reason: string; retries: number }

export interface ModelClient {
  chat(model: { name: string; settings: ModelSettings }, messages: readonly Message[], signal: AbortSignal): Promise<Reply>
}
export interface ModelClientOptions {
  /** Where keys are read at call time. */
  env: Readonly<Record<string, string | undefined>>
  /** Waits; ends early with the signal. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Tries after the first. Default: 5. */
  retries?: number
  /** Wait before the first retry, doubled with each, in milliseconds. Default: 500. */
  backoffMs?: number
  resolve?: Resolve
}

const longestPauseMs = 60_000
const reserved = new Set(['messages', 'model', 'stream', 'n', 'tools'])
/** Parameters that are not the caller's to set. */
export const reservedParameters = (parameters: Readonly<Record<string, unknown>>) =>
  Object.keys(parameters).filter((name) => reserved.has(name))

export function createModelClient({ env, pause, retries = 5, backoffMs = 500, resolve }: ModelClientOptions): ModelClient {
  const gates = new Map<string, Gate>()
  const gateOf = (name: string, limit: number) => {
    const key = `${name}:${limit}`
    const gate = gates.get(key) ?? createGate(limit)
    gates.set(key, gate)
    return gate
  }

  const once = async (settings: ModelSettings, key: string | undefined, messages: readonly Message[], signal: AbortSignal) => {
    const client = new OpenAI({
      baseURL: settings.baseUrl,
      apiKey: key ?? 'none',
      maxRetries: 0,
      timeout: settings.timeoutMs ?? 120_000,
      organization: null,
      project: null,
      logLevel: 'off',
      fetchOptions: { redirect: 'error' },
    })
    const answer = await client.chat.completions.create(
      { ...settings.parameters, model: settings.model, messages: [...messages], stream: false },
      { signal },
    )
    const text = answer.choices?.[0]?.message?.content
    if (typeof text !== 'string') throw new Unusable('the endpoint answered without choices[0].message.content')
    return { text, promptTokens: count(answer.usage?.prompt_tokens), completionTokens: count(answer.usage?.completion_tokens) }
  }

  return {
    chat: ({ name, settings }, messages, signal) =>
      gateOf(name, settings.concurrency ?? 8).run(async () => {
        let reason = ''
        for (let attempt = 0; attempt <= retries; attempt++) {
          if (signal.aborted) break
          const found = readKey(settings.keyEnv, env)
          if (!found.ok) return { status: 'refused', reason: found.reason, retries: attempt }
          const hide = (text: string) => (found.key ? text.replaceAll(found.key, '[key]') : text).slice(0, 500)
          const host = await checkHost(settings.baseUrl, resolve)
          let waitMs = Math.min(longestPauseMs, backoffMs * 2 ** attempt)
          if (!host.ok && !host.away) return { status: 'refused', reason: host.reason, retries: attempt }
          try {
            if (!host.ok) throw new Unusable(host.reason)
            const { text, promptTokens, completionTokens } = await once(settings, found.key, messages, signal)
            return { status: 'done', text, usage: { requests: attempt + 1, promptTokens, completionTokens }, retries: attempt }
          } catch (error) {
            const told = judge(error)
            reason = hide(told.reason)
            if (!told.retry) return { status: 'refused', reason, retries: attempt }
            waitMs = Math.min(longestPauseMs, told.afterMs ?? waitMs)
          }
          if (attempt < retries) await pause(waitMs, signal)
        }
        return { status: 'failed', reason: signal.aborted ? 'stopped' : reason, retries }
      }),
  }
}

class Unusable extends Error {}
const count = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0)

/** Whether another try could help, and after what time the endpoint wants it. */
function judge(error: unknown): { retry: boolean; reason: string; afterMs?: number } {
  if (error instanceof APIConnectionError) return { retry: true, reason: `the endpoint can’t be reached: ${error.message}` }
  if (error instanceof APIError && error.status !== undefined) {
    const status = Number(error.status)
    const afterMs = retryAfter((error.headers as Headers | undefined)?.get('retry-after') ?? undefined)
    return {
      retry: status === 408 || status === 409 || status === 429 || status >= 500,
      reason: `the endpoint answered ${error.message}`,
      ...(afterMs !== undefined && { afterMs }),
    }
  }
  if (error instanceof Unusable || error instanceof SyntaxError || error instanceof TypeError)
    return { retry: true, reason: `the endpoint’s answer can’t be read: ${error.message}` }
  return { retry: true, reason: error instanceof Error ? error.message : String(error) }
}
/** Seconds; dates are left to the ordinary pause, as clocks differ. */
const retryAfter = (text: string | undefined) => (text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : undefined)
