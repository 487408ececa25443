/**
 * One request to an OpenAI-compatible endpoint, through the official SDK, without retries, limits or
 * storage.
 */
import { APIError } from 'openai'
import { classifyFailure, defaultTimeoutMs, FloodError, createTimeout, UnusableResponse } from './classify.ts'
import { createManners, type FoundManners, type EndpointManners } from './dialects/manners.ts'
import type { RequestManners } from './dialects/table.ts'
import { openEndpoint, type EndpointOptions } from './endpoint.ts'
import { readErrorText, type SaidError } from './error-body.ts'
import type { Usage } from '@stateeval/contracts'
import type { ModelAnswer, ModelRequest, TryModel } from './request.ts'
import { startTimer } from './timed.ts'
import { buildAnswer, createFloodAnswer } from './wire/answer.ts'
import { askChat } from './wire/chat.ts'
import { askCompletion, findInexpressible } from './wire/completion.ts'
import { askEmbedding } from './wire/embedding.ts'
import { finishMeaning } from './wire/finish.ts'
import type { UsageListener } from './wire/usage.ts'

export interface WireOptions extends EndpointOptions {
  /** Milliseconds since 1970, for Retry-After dates. */
  now: () => number
  /** Findings of probes. */
  found?: FoundManners
}
/** Attempts, and the manners that they have. */
interface EndpointWire {
  attempt: TryModel
  manners: EndpointManners
}

/** The body of an error that rejects a request; empty for any other error. */
const readRejection = (error: unknown): string =>
  error instanceof APIError && (error.status === 400 || error.status === 422)
    ? ((error.error as Partial<SaidError> | undefined)?.text ?? '')
    : ''

const longestReason = 700
const wires = { chat: askChat, completions: askCompletion, embeddings: askEmbedding }

/** Reads the usage of a reply that cannot be used, for the books. */
const readSpent = ({ usage }: Parameters<UsageListener>[0]): { spent?: Usage } => ({ spent: usage })

/**
 * Recovers text that the model wrote and its endpoint could not read, which Groq reports as an error: an
 * answer without calls, because the mistake is the model's. Null for any other error.
 */
function recoverUnreadAnswer(
  error: unknown,
  request: ModelRequest,
  hide: (text: string) => string,
): ModelAnswer | null {
  const said: Partial<SaidError> | undefined =
    error instanceof UnusableResponse && error.error !== undefined
      ? readErrorText(error.error, hide)
      : error instanceof APIError
        ? (error.error as SaidError | undefined)
        : undefined
  const finish = said?.codes?.find((code) => finishMeaning(code) === 'malformed')
  if (finish === undefined) return null
  return buildAnswer({ text: said?.wrote ?? '', calls: [], finish, usage: undefined }, request, hide)
}

/** Manners with one part as in OpenAI's API. */
function removeManners(manners: RequestManners, part: keyof RequestManners): RequestManners {
  const { [part]: _, ...others } = manners
  return others
}

export function createWire(options: WireOptions): EndpointWire {
  const manners = createManners(options.found)
  const attempt: TryModel = async ({ settings }, request, signal) => {
    const endpoint = openEndpoint(settings, options)
    if (!endpoint.ok) return { status: 'refused', kind: endpoint.kind, reason: endpoint.reason }
    const lack = settings.api === 'completions' ? findInexpressible(request) : null
    if (lack !== null) return { status: 'refused', kind: 'request', reason: lack }
    // The SDK's time ends with the first byte; a stream that stalls would never end.
    const time = startTimer(signal, settings.timeoutMs ?? defaultTimeoutMs)
    let spent: ReturnType<typeof readSpent> = {}
    const spend: UsageListener = (told) => (spent = readSpent(told))
    const parameters = Object.keys({ ...request.parameters, ...settings.parameters })
    const ask = async (): Promise<ModelAnswer> => {
      const current = await manners.of(settings)
      const used = request.plain === undefined ? current : removeManners(current, request.plain)
      try {
        const on = { signal: time.signal, spend, manners: used }
        return await wires[settings.api ?? 'chat'](endpoint, settings, request, on)
      } catch (error) {
        // A rejected request cost nothing. Each lesson is another one, so they end.
        if (request.plain === undefined && manners.learn(settings, used, readRejection(error), parameters))
          return ask()
        throw error
      }
    }
    try {
      return { status: 'done', ...(await ask()) }
    } catch (error) {
      if (time.late) return { ...createTimeout(settings), ...spent }
      const answer =
        error instanceof FloodError
          ? createFloodAnswer(request)
          : recoverUnreadAnswer(error, request, endpoint.hide)
      if (answer) return { status: 'done', ...answer }
      const failure = classifyFailure(error, settings, options.now, endpoint.hide)
      return { ...failure, reason: failure.reason.slice(0, longestReason), ...spent }
    } finally {
      time.clear()
    }
  }
  return { attempt, manners }
}
