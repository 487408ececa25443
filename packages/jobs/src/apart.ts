/**
 * Items for the engine. Their steps read models' texts. Short texts are read in place. Long ones may take a
 * second, so a thread reads them with the same functions and outcome while the service answers other
 * requests.
 */
import {
  bindFlow,
  loadEntries,
  type EpisodeEntry,
  type EntryStore,
  type SuiteFlow,
  type ItemAnswer,
  type ItemNeed,
  type OpinionContext,
  type ProgramFlowContext,
  type SampleContext,
  sampleFlow,
  type SampleState,
  settleLog,
  type SampleStep,
  type WritingContext,
} from '@stateeval/flows'
import type { AnsweredQuestion } from '@stateeval/models'
import { ProblemError } from '@stateeval/contracts'
import type { OpinionSupport, TaskSource, WritingOptions } from '@stateeval/program'
import {
  type ProjectArtifacts,
  type CacheHolder,
  isAway,
  isLong,
  getErrorText,
  type ThreadPool,
} from '@stateeval/service-kit'
import type { ItemFlow, NextState } from '@stateeval/workflow'

/**
 * A context that crosses to a thread. A member with functions crosses by name, and the thread looks it up.
 */
interface CrossingContexts {
  sample: Omit<SampleContext, 'benchmark'> & { benchmark: string }
  program: Omit<ProgramFlowContext, 'build' | 'scenario'> & { benchmark: string; scenario: string }
  opinion: Omit<OpinionContext, 'read'> & { benchmark: string }
  writing: Omit<WritingContext, 'taskSource'> & { opening: SourceOpening }
}
/** How a task source is opened. */
export interface SourceOpening {
  benchmark: string
  /** The identity of its source: a thread opens a specification once for all questions about it. */
  key: string
  /** UTF-8 text in shared memory, so that calls pass it on without a copy. */
  specification: Uint8Array
  options: WritingOptions
  prompts: Readonly<Record<string, string>>
}
/** A method of a task source with its arguments. */
type SourceMethod = 'show' | 'check' | 'set' | 'plan'
export type SourceCall = {
  [Method in SourceMethod]: {
    opening: SourceOpening
    method: Method
    args: Parameters<NonNullable<TaskSource[Method]>>
  }
}[SourceMethod]
/** One step; at the start of an item, the state is null and there is no answer. */
export interface StepTask<Name extends keyof CrossingContexts> {
  state: unknown
  answer: ItemAnswer | null
  context: CrossingContexts[Name]
  /** The entries of a sample's dialogue so far. */
  entries?: readonly EpisodeEntry[]
}
export interface QuestionTask {
  benchmark: string
  prompt: string
  failure: Parameters<OpinionSupport['ask']>[1]
}

/** Tells whether an answer is a long text of a model. */
export function isLongReply(answer: ItemAnswer): boolean {
  if (!answer.ok || typeof answer.value !== 'object' || answer.value === null || !('text' in answer.value))
    return false
  const { text, toolCalls } = answer.value as AnsweredQuestion
  return isLong([text, toolCalls ?? null])
}
/** Runs leave worlds and logs of some thousand characters, which are only passed on or compared. */
const maxComparedHere = 128 * 1024
export const isLongRun = (answer: ItemAnswer) => answer.ok && isLong(answer.value, maxComparedHere)

/** Reading is linear: what takes longer is ended. */
const longestReadMs = 60_000

const stepInThread = <Name extends keyof CrossingContexts>(
  threads: ThreadPool,
  name: Name,
  task: StepTask<Name>,
): Promise<NextState> => threads.run<NextState>(name, task, { maxMs: longestReadMs })

/** A flow with its context, for the engine; `long` steps run in a thread. */
export const bindThreadFlow = <C, S, Out, Name extends keyof CrossingContexts>(
  threads: ThreadPool,
  [flow, context]: readonly [SuiteFlow<C, S, Out>, C],
  [name, crossing]: readonly [Name, CrossingContexts[Name]],
  long: (answer: ItemAnswer) => boolean = isLongReply,
): ItemFlow<ItemNeed> => {
  const here = bindFlow(flow, context)
  return {
    ...here,
    resume: (state, answer) =>
      long(answer)
        ? stepInThread(threads, name, { state, answer, context: crossing })
        : here.resume(state, answer),
  }
}

interface EntryStores extends CacheHolder {
  artifacts: ProjectArtifacts
}
/** The store of a sample's entries, and the reader of its long answers. */
export interface SampleStores extends EntryStores {
  threads: ThreadPool
}

export const createEntryStore = ({ artifacts, cache }: EntryStores): EntryStore => ({
  async put(entries) {
    const hash = await artifacts.putJson(entries)
    // The next steps of this dialogue need them, mostly here.
    void cache(`entries/${hash}`, async () => entries)
    return hash
  },
  get: (hash) =>
    cache(`entries/${hash}`, async () => (await artifacts.getJson(hash)) as readonly EpisodeEntry[]),
})

/** A sample. The episode's record is loaded before each step, and stored before the step's state. */
export function sampleItem(stores: SampleStores, context: SampleContext): ItemFlow<ItemNeed> {
  const { threads } = stores
  const store = createEntryStore(stores)
  const settle = async (step: SampleStep): Promise<NextState> => {
    // A state that only waits for its score is not followed by another one.
    if (!('state' in step) || step.state.step === 'score') return step
    return { ...step, state: { ...step.state, log: await settleLog(step.state.log, store) } }
  }
  const entriesIn = (state: SampleState) => loadEntries(state.log, store)
  const crossing = { ...context, benchmark: context.benchmark.kind }
  const apart = async (
    state: SampleState | null,
    answer: ItemAnswer | null,
    entries: readonly EpisodeEntry[],
  ) => {
    const task = { state, answer, context: crossing, entries }
    try {
      return (await stepInThread(threads, 'sample', task)) as SampleStep
    } catch (error) {
      if (isAway(error)) throw error
      // Known work: where a thread cannot even begin the sample, the candidate is not at fault.
      const { replay: _, ...known } = { ...crossing, responder: { kind: 'agent' } as const }
      await stepInThread(threads, 'sample', { state: null, answer: null, context: known }).catch((cause) => {
        throw new ProblemError('unavailable', `no thread can begin this sample: ${getErrorText(cause)}`)
      })
      // A busy machine is slow, and a thread may end for others' needs.
      return (await stepInThread(threads, 'sample', task)) as SampleStep
    }
  }
  /** A candidate that an episode cannot read fails, and holds up no other one. */
  const unread = (state: SampleState | null, error: unknown): SampleStep => {
    // Limits of a thread concern what is read in it.
    const isOurs = isAway(error) || (error instanceof ProblemError && error.code !== 'payload-too-large')
    const step = isOurs ? null : sampleFlow.unreadable(state, context)
    if (!step) throw error
    return step
  }
  const { responder, replay } = context
  const isGivenLong =
    (responder.kind === 'given' && isLong(responder.replies)) || isLong(replay?.entries, maxComparedHere)
  return {
    // Entries of the beginning are computed again each time, so the store need not keep them.
    start() {
      if (isGivenLong) return apart(null, null, []).catch((error: unknown) => unread(null, error))
      try {
        return sampleFlow.start(context)
      } catch (error) {
        return unread(null, error)
      }
    },
    async resume(waiting, answer) {
      const state = waiting as SampleState
      const entries = await entriesIn(state)
      const isApart = isGivenLong || isLongReply(answer)
      let step: SampleStep
      try {
        step = isApart
          ? await apart(state, answer, entries)
          : sampleFlow.resume(state, answer, context, entries)
      } catch (error) {
        step = unread(state, error)
      }
      return settle(step)
    },
    need: async (state) =>
      sampleFlow.need(state as SampleState, context, await entriesIn(state as SampleState)),
  }
}

/** A part of a specification: reading one may take seconds, so everything about it is done in a thread. */
export const createWritingItem = (
  threads: ThreadPool,
  context: CrossingContexts['writing'],
): ItemFlow<ItemNeed> => ({
  start: () => stepInThread(threads, 'writing', { state: null, answer: null, context }),
  resume: (state, answer) => stepInThread(threads, 'writing', { state, answer, context }),
  need: (state) => threads.run<ItemNeed>('writingNeed', { state, context }),
})
