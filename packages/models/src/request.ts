/** What a model is asked, and how asking may end. Endings are values; no text of theirs holds the key. */
import type { Asking, Message, ModelSettings, ModelTool, ModelToolCall, Usage } from '@stateeval/contracts'

/** A model as it is named in reports, and how to reach it. */
export interface NamedModel {
  name: string
  settings: ModelSettings
}
export interface ModelRequest {
  messages: readonly Message[]
  tools?: readonly ModelTool[]
  /** Whether a tool may or must be called, and which. */
  toolChoice?: Asking['toolChoice']
  /** A JSON Schema that the answer must satisfy. */
  schema?: Asking['schema']
  /** Sent with this request; the model's own parameters of the same names win. */
  parameters?: Asking['parameters']
  /** Called when its turn has come, right before each try goes out: why it must not, or null. */
  before?: () => Promise<string | null>
  /**
   * Called with what another try would not change, while the question still has its turn: what is kept and
   * counted here is known before the next question's `before` is asked.
   */
  settle?: (ending: Settled) => Promise<void>
}

/** What an endpoint answered, and what it used. `requests` counts this one. */
export interface ModelAnswer {
  text: string
  toolCalls?: ModelToolCall[]
  /** Why the model stopped, as the endpoint says it: stop, length, tool_calls, content_filter … */
  finish: string
  usage: Usage
  /** Milliseconds that the endpoint took for it: of the try that brought it. */
  ms?: number
}

/**
 * What another try can't change, and whom it concerns: `key`, `model`, `quota` and `host` every question to
 * this model, `context` and `request` this question, `unreachable` the endpoint as long as it is down.
 * `held`: the caller held it back.
 */
export type RefusalKind = 'key' | 'model' | 'quota' | 'host' | 'context' | 'request' | 'unreachable' | 'held'

/**
 * `refused`: another try would not help now. `failed`: given up after the retries, an infrastructure error.
 */
export type ModelReply =
  | ({ status: 'done'; retries: number } & ModelAnswer)
  | { status: 'refused'; kind: RefusalKind; reason: string; retries: number }
  | { status: 'failed'; reason: string; retries: number }

/** What an endpoint said to a question, for good. */
export type Settled = Extract<ModelReply, { status: 'done' | 'refused' }>

/** One way of asking: the wire itself, or a wrapper around another. */
export interface Ask {
  (model: NamedModel, request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
}

/**
 * An ending of one attempt. `transient` may be tried again, no sooner than `afterMs`; `busy` asks for fewer
 * requests.
 */
export type ModelAttempt =
  | ({ status: 'done' } & ModelAnswer)
  | { status: 'refused'; kind: RefusalKind; reason: string }
  | { status: 'transient'; reason: string; busy?: boolean; unreachable?: boolean; afterMs?: number }

/** One attempt. Never rejects. */
export interface Try {
  (model: NamedModel, request: ModelRequest, signal: AbortSignal): Promise<ModelAttempt>
}
