/**
 * How one kind of model is asked and read. The released code has a runner for each, and they judge slightly
 * differently (README, Options): so the layout of an evaluation chooses both the form of the prompt and these
 * rules.
 */
import type { ListedCall, Message, ModelTool, SpeakerReply } from '@stateeval/contracts'
import type { SampleConversation } from '../conversation/conversation.ts'
import type { AssistantMessage } from '../dialogue/talk.ts'

/** A call as the model wrote it. `broken`: why it is none. */
export interface WrittenCall {
  id: string
  name: string
  arguments: string
  broken?: string
  /** No function has this name in the form that the runner offers it by. */
  isUnknown?: true
}

export interface DialogueRunner {
  /** True if it calls by the endpoint's tools; else in text. */
  usesTools: boolean
  /**
   * How a call of an unknown function ends the dialogue under `published`; null: the format check reports it.
   */
  unknownFunction: 'decode_error' | 'name_error' | null
  /** True if format errors are reported; otherwise the fixed error is. */
  tellsFormatErrors: boolean
  /** True if errors of the last round make a run that ended with a text fail. */
  endsOnLastErrors: boolean
  open(conversation: SampleConversation): { append: Message[]; tools?: ModelTool[] }
  /**
   * The calls of a reply; none where it is a final text. Names are those of the functions, where they are
   * known.
   */
  read(message: AssistantMessage, conversation: SampleConversation): WrittenCall[]
  /** Replies that make these calls, in this form: one, or one for each call. */
  write(calls: readonly ListedCall[]): SpeakerReply[]
  /** Answers, in their order. */
  answer(calls: readonly WrittenCall[], contents: readonly string[]): Message[]
}
