/** A question to a model as the queue carries it: all that is needed to ask it, on any replica. Its job's id is the step's. */
import type { Asking, Message, ModelSettings, ModelTool, ModelToolCall, Usage } from '@stateeval/contracts'

export interface Question extends Asking {
  model: { name: string; settings: ModelSettings }
  messages: Message[]
  tools?: readonly ModelTool[]
  /** Samples of the same question are asked apart. */
  sample: number
}

/** An answer with what it cost. */
export interface Answered {
  text: string
  toolCalls?: ModelToolCall[]
  /** What this evaluation used: nothing where the answer was kept from an earlier one. */
  usage: Usage
  retries: number
  /** How often it was asked again because a kill cut the request short. */
  repeated: number
  /** Where the answer is kept. */
  place: string
  /** Whether it was kept from elsewhere. */
  kept: boolean
  /** Why the model ended it, as its endpoint said: `length` where it was cut short. */
  finish: string
}

/** A question without an answer, by its key: after the retries, or because the endpoint did not take it. */
export interface Unanswered {
  key: string
  refused: boolean
  reason: string
}
