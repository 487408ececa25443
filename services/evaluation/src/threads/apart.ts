/**
 * Steps of items that read what a model wrote: short texts in place; long ones, which may take a second, in a thread, by the same
 * functions and with the same outcome, while the service answers others.
 */
import type { BenchmarkCase } from '@stateeval/contracts'
import type { Opinions, WritingOptions } from '@stateeval/program'
import { isLong, type Threads } from '@stateeval/service-kit'
import type { ItemFlow, Next } from '@stateeval/workflow'
import type { Answered } from '@stateeval/models'
import type { Entry } from '../flows/dialogue.ts'
import { type ItemAnswer, type Flow, type ItemNeed } from '../flows/flow.ts'
import type { OpinionContext } from '../flows/opinion-flow.ts'
import type { ProgramContext } from '../flows/program-flow.ts'
import type { SampleContext } from '../flows/sample.ts'
import type { WritingContext } from '../flows/writing-flow.ts'

/** A context as it crosses to a thread: what has functions is named, and found there by its name. */
export interface Crossing {
  sample: Omit<SampleContext, 'benchmark'> & { benchmark: string; artifacts: ReadonlyMap<string, Uint8Array> }
  program: Omit<ProgramContext, 'build' | 'scenario'> & { benchmark: string; scenario: string }
  opinion: Omit<OpinionContext, 'read'> & { benchmark: string }
  writing: Omit<WritingContext, 'taskSource'> & { benchmark: string; opening: Opening }
}
/** What a task source is opened with. */
export interface Opening {
  specification: string
  options: WritingOptions
  prompts: Readonly<Record<string, string>>
}
/** One step: the state null and no answer at the start of an item. */
export interface StepTask<Name extends keyof Crossing> {
  state: unknown
  answer: ItemAnswer | null
  context: Crossing[Name]
  /** Of a sample: what its dialogue holds so far. */
  entries?: readonly Entry[]
}
export interface QuestionTask {
  benchmark: string
  prompt: string
  failure: Parameters<Opinions['ask']>[1]
}

/** Whether an answer is a long text of a model. */
export function isLongReply(answer: ItemAnswer): boolean {
  if (!answer.ok || typeof answer.value !== 'object' || answer.value === null || !('text' in answer.value))
    return false
  const { text, toolCalls } = answer.value as unknown as Answered
  return isLong([text, toolCalls ?? null])
}
/** Runs leave worlds and logs of some thousand characters, which are only passed on or compared. */
const maxComparedHere = 128 * 1024
export const isLongRun = (answer: ItemAnswer) => answer.ok && isLong(answer.value, maxComparedHere)

export const stepApart = <Name extends keyof Crossing>(
  threads: Threads,
  name: Name,
  task: StepTask<Name>,
): Promise<Next> => threads.run<Next>(name, task)

/** A flow with its context, as the engine leads it; steps that are `long` happen in a thread. */
export const boundApart = <C, S, Out, Name extends keyof Crossing>(
  threads: Threads,
  [flow, context]: readonly [Flow<C, S, Out>, C],
  [name, crossing]: readonly [Name, Crossing[Name]],
  long: (answer: ItemAnswer) => boolean = isLongReply,
): ItemFlow<ItemNeed> => ({
  start: () => flow.start(context),
  resume: (state, answer) =>
    long(answer as ItemAnswer)
      ? stepApart(threads, name, { state, answer: answer as ItemAnswer, context: crossing })
      : flow.resume(state as S, answer as never, context),
  need: (state) => flow.need(state as S, context),
})

/** Hashes of what a case needs besides itself. */
export const artifactsOf = (c: BenchmarkCase): readonly string[] =>
  'artifacts' in c ? (c.artifacts ?? []) : []
