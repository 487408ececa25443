/**
 * One part of a specification: a model writes its tasks, and failed checks are returned to it, until the
 * rounds are over.
 */
import type { JsonValue, Usage } from '@stateeval/contracts'
import {
  addUsage,
  type AnsweredQuestion,
  noUsage,
  type ModelQuestion,
  describeSilence,
  type UnansweredQuestion,
} from '@stateeval/models'
import type { TaskSource, WrittenTask } from '@stateeval/program'
import type { EndpointModel } from './endpoint.ts'
import type { SuiteFlow, ItemAnswer, ItemNeed, FlowTransition } from './flow.ts'

export interface WritingContext {
  taskSource: TaskSource
  part: number
  model: EndpointModel
  /** Which of the model's answers is taken. */
  sample: number
}
export interface WritingState {
  writing: JsonValue
  retries: number
  usage: Usage
  /** Keys of the model's stored answers; how many of them cost nothing here. */
  storeKeys: string[]
  kept: number
}
export interface WritingOutcome extends Omit<WritingState, 'writing'> {
  written: WrittenTask[]
  /** The question that the model gave no answer to; it ended the part. */
  unanswered?: UnansweredQuestion[]
}

const buildWritingQuestion = (
  { writing }: WritingState,
  { taskSource, part, model: { name, settings }, sample }: WritingContext,
): ModelQuestion => ({
  model: { name, settings },
  messages: taskSource.ask(part, writing),
  sample,
})

export const writingFlow: SuiteFlow<WritingContext, WritingState, WritingOutcome> = {
  start: ({ taskSource, part }) => ({
    state: { writing: taskSource.start(part), retries: 0, usage: noUsage, storeKeys: [], kept: 0 },
  }),
  resume(state, answer: ItemAnswer, context): FlowTransition<WritingState, WritingOutcome> {
    const { writing, ...carried } = state
    const { taskSource, part } = context
    if (!answer.ok) {
      const { reason } = answer
      const unanswered = [describeSilence(buildWritingQuestion(state, context), answer)]
      return { done: { ...carried, written: listUnaskedParts(taskSource, part, reason), unanswered } }
    }
    const { text, usage, retries, storeKey, kept } = answer.value as AnsweredQuestion
    const next = {
      retries: carried.retries + retries,
      usage: addUsage(carried.usage, usage),
      storeKeys: [...carried.storeKeys, storeKey],
      kept: carried.kept + (kept ? 1 : 0),
    }
    const turn = taskSource.resume(part, writing, text)
    return 'done' in turn
      ? { done: { ...next, written: turn.done } }
      : { state: { ...next, writing: turn.state } }
  },
  need: (state, context): ItemNeed => ({ kind: 'ask', payload: buildWritingQuestion(state, context) }),
}

/** The model's own retries are over: nothing is known of these tasks. */
const listUnaskedParts = ({ parts }: TaskSource, part: number, reason: string): WrittenTask[] =>
  (parts[part] ?? []).map((index) => ({
    status: 'rejected',
    index,
    reason: 'the model gave no answer',
    detail: reason.slice(0, 1000),
    dialogue: [],
  }))
