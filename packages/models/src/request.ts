/** Questions to models, and their endings. Endings are values; their texts never contain the key. */
import type {
  AnswerLimits,
  Message,
  ModelSettings,
  ModelTool,
  ModelToolCall,
  Usage,
  VendorMembers,
} from '@stateeval/contracts'
import type { RequestManners } from './dialects/table.ts'
import type { StoredReply } from './wire/stored-reply.ts'

/** A model by its name in reports, with its endpoint. */
export interface NamedModel {
  name: string
  settings: ModelSettings
}
export interface ModelRequest {
  messages: readonly Message[]
  tools?: readonly ModelTool[]
  /** Tells whether a tool may or must be called, and which. */
  toolChoice?: AnswerLimits['toolChoice']
  /** A JSON Schema that the answer must satisfy. */
  schema?: AnswerLimits['schema']
  /** Sent with this request; the model's own parameters of the same names win. */
  parameters?: AnswerLimits['parameters']
  /** Called when its turn has come, right before each try goes out: why it must not, or null. */
  before?: () => Promise<string | null>
  /**
   * Called with what another try would not change, while the question still has its turn: what is kept and
   * counted here is known before the next question's `before` is asked.
   */
  settle?: (ending: SettledReply) => Promise<void>
  /** Told what a reply used that is of no use: it is paid for all the same. */
  spent?: (usage: Usage) => Promise<void>
  /**
   * The answer is what a model is scored by: one that is empty or too long in each try is the model's own,
   * and no failure of its endpoint.
   */
  isScored?: true
  /** No other try follows. */
  isLastTry?: true
  /** The answer tells how the reply came. */
  isProbe?: true
  /**
   * The part of the request that is written as in OpenAI's API, whatever the endpoint's manners are, to see
   * whether it is taken. A rejection teaches nothing.
   */
  plain?: keyof RequestManners
}

/** How a reply came. */
export interface ReplyFacts {
  isStreamed: boolean
  /** True if each call has its own id. */
  hasIds: boolean
  /** True if each call has a type. */
  hasTypes: boolean
}

/** An endpoint's answer and its usage. `requests` includes this one. */
export interface ModelAnswer {
  text: string
  toolCalls?: ModelToolCall[]
  /** Members of the endpoint's message that nobody reads. They go back with it. */
  vendor?: VendorMembers
  /** Why the model stopped, as the endpoint says it: stop, length, tool_calls, content_filter … */
  finish: string
  usage: Usage
  /** Milliseconds that the endpoint took for it: of the try that brought it. */
  ms?: number
  facts?: ReplyFacts
  /** The reply as it came, for later readers; absent where it is too long. */
  reply?: StoredReply
}

/**
 * Causes that a retry cannot change, and their scope. `key`, `model`, `quota` and `host` concern every
 * question to this model; `context`, `moderation` and `request` this question; `unreachable` the endpoint
 * while it is down. `held`: the caller held it back.
 */
export type RefusalKind =
  | 'key'
  | 'model'
  | 'quota'
  | 'host'
  | 'context'
  | 'moderation'
  | 'request'
  | 'unreachable'
  | 'held'

/** `refused`: a retry would not help now. `failed`: an infrastructure error after all retries. */
export type ModelReply =
  | ({ status: 'done'; retries: number } & ModelAnswer)
  | { status: 'refused'; kind: RefusalKind; reason: string; retries: number }
  | { status: 'failed'; reason: string; retries: number }

/** An endpoint's final response to a question. */
export type SettledReply = Extract<ModelReply, { status: 'done' | 'refused' }>

/** A way of asking: the wire itself, or a wrapper around another. */
export interface AskModel {
  (model: NamedModel, request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
}

/**
 * The failure that is reported if each try meets it, over `afterMs` of waiting, and nobody else is answered
 * meanwhile. `ofQuestion`: if others are answered, it is the question's.
 */
export interface LastingFailure {
  kind: RefusalKind
  remedy: string
  afterMs: number
  ofQuestion?: true
}

/**
 * The outcome of one attempt. `transient` may be retried, after at least `afterMs`; `busy` asks for fewer
 * requests.
 */
export type ModelAttempt =
  | ({ status: 'done' } & ModelAnswer)
  | { status: 'refused'; kind: RefusalKind; reason: string; spent?: Usage }
  | {
      status: 'transient'
      reason: string
      busy?: boolean
      unreachable?: boolean
      afterMs?: number
      lasting?: LastingFailure
      /** Attempts of all questions to this endpoint since its last answer; whether there was one. */
      silence?: { tries: number; wasAnswered: boolean }
      /** Usage of a reply that cannot be used. */
      spent?: Usage
    }

/** One attempt. Never rejects. */
export interface TryModel {
  (model: NamedModel, request: ModelRequest, signal: AbortSignal): Promise<ModelAttempt>
}
