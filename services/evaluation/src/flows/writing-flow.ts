/** One part of a specification: a model writes its tasks, what fails its checks goes back, until the rounds are over. */
import type { Json, Usage } from '@stateeval/contracts'
import { addUsage, noUsage } from '@stateeval/models'
import type { Workbook, WrittenTask } from '@stateeval/program'
import type { Answered } from '../asking/question.ts'
import type { ModelChoice } from '../owners/owner.ts'
import type { Answer, Flow, Need, Next } from './flow.ts'

export interface WritingContext {
  workbook: Workbook
  part: number
  model: Extract<ModelChoice, { kind: 'endpoint' }>
  /** Which of the model's answers is taken. */
  sample: number
}
export interface WritingState {
  writing: Json
  retries: number
  usage: Usage
  /** Where the model's answers are kept; how many of them cost nothing here. */
  places: string[]
  kept: number
}
export interface WritingOutcome extends Omit<WritingState, 'writing'> {
  written: WrittenTask[]
}

export const writingFlow: Flow<WritingContext, WritingState, WritingOutcome> = {
  start: ({ workbook, part }) => ({ state: { writing: workbook.start(part), retries: 0, usage: noUsage, places: [], kept: 0 } }),
  resume({ writing, ...carried }, answer: Answer, { workbook, part }): Next<WritingState, WritingOutcome> {
    if (!answer.ok) return { done: { ...carried, written: unasked(workbook, part, answer.reason) } }
    const { text, usage, retries, place, kept } = answer.value as unknown as Answered
    const next = {
      retries: carried.retries + retries,
      usage: addUsage(carried.usage, usage),
      places: [...carried.places, place],
      kept: carried.kept + (kept ? 1 : 0),
    }
    const turn = workbook.resume(part, writing, text)
    return 'done' in turn ? { done: { ...next, written: turn.done } } : { state: { ...next, writing: turn.state } }
  },
  need: ({ writing }, { workbook, part, model: { name, settings }, sample }): Need => ({
    kind: 'ask',
    payload: { model: { name, settings }, messages: workbook.ask(part, writing), sample },
  }),
}

/** The model's own retries are over: nothing is known of these tasks. */
const unasked = ({ parts }: Workbook, part: number, reason: string): WrittenTask[] =>
  (parts[part] ?? []).map((index) => ({
    status: 'rejected',
    index,
    reason: 'the model gave no answer',
    detail: reason.slice(0, 1000),
    dialogue: [],
  }))
