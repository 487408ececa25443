/** A sample in progress: the answering party, the data carried from state to state, and how it ends. */
import type {
  BenchmarkCase,
  EpisodeOptions,
  JsonValue,
  ModelSettings,
  HostNeed as EpisodeNeed,
  UnscoredKind,
  UnscoredReason,
  Observation,
  SpeakerReply,
  EpisodeStatement,
  Score,
  ScoredSample,
  Usage,
} from '@stateeval/contracts'
import { type NamedModel, noUsage, type UnansweredQuestion } from '@stateeval/models'
import type { Benchmark } from '@stateeval/program'
import { emptyLog, isDialogue, type EntryLog } from './dialogue.ts'
import type { AnswerEndings } from './endings.ts'
import type { FlowTransition } from './flow.ts'
import type { FurtherRuns, ReplayRecord, SampleRecord } from './record.ts'
import type { SessionSeeds } from './seeds.ts'

/** A reply made elsewhere, of one dialogue or of each; or how the endpoint said that it fits no context. */
export type GivenReply = { transcript?: number } & (SpeakerReply | { refused: string })

/**
 * The answering party: a built-in model, a named endpoint, or an external one (without a reply if none was
 * given for this sample).
 */
export type Responder =
  | { kind: 'reference' }
  | { kind: 'mutant' }
  | { kind: 'endpoint'; name: string; settings: ModelSettings }
  | { kind: 'given'; replies: readonly GivenReply[] }
  /** Somebody who sends each reply when it is ready: the host waits for it. */
  | { kind: 'agent' }
  /** Nobody is asked: the case is left out, or was not scored elsewhere. */
  | { kind: 'none'; says: string; reason: UnscoredKind }

export interface SampleContext {
  benchmark: Benchmark
  case: BenchmarkCase
  /** Artifacts of the case besides itself, by hash: held here while the sample is in progress. */
  artifacts?: ReadonlyMap<string, Uint8Array>
  sample: number
  /** The item's id, which the tool sessions of its dialogues are named after. */
  item: string
  responder: Responder
  /** From a recording. */
  seeds?: SessionSeeds
  /** Its record is kept with its end, so that it can be scored again. */
  recorded?: true
  /** It is scored again: what it needs is taken from the record of its first way, and nobody is asked. */
  replay?: ReplayRecord
  /** Models that play the further parts, by the benchmark's name of the part; see `ConsultedParty`. */
  parties?: Readonly<Record<string, NamedModel>>
  /** `timeLimit`: seconds that code may run on each input, where the evaluation sets them. */
  options: EpisodeOptions & { seed: number | string; timeLimit?: number }
}

/** Counts by name, in the order of the names. */
type CountsByName = Record<string, number>

export function addCounts(all: readonly (CountsByName | undefined)[]): CountsByName {
  const sums = new Map<string, number>()
  for (const counts of all)
    for (const [name, count] of Object.entries(counts ?? {})) sums.set(name, (sums.get(name) ?? 0) + count)
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The effort of a sample, carried from state to state and reported with its end. */
export interface SampleEffort {
  retries: number
  runtimes: string[]
  /** Runs by how they were isolated. */
  sandboxes?: Record<string, number>
  /** Executions by how a canary found their warm jails. */
  canaries?: Record<string, number>
  /** Runs by what computed their tensors. */
  tensorProviders?: Record<string, number>
  /** Usage of the model under test. */
  usage: Usage
  /** Usage of the models that play further parts. */
  parties?: Readonly<Record<string, Usage>>
  /** Seeds that a recording repeats. */
  seeds?: SessionSeeds
  /**
   * Keys of the stored answers; how many of them cost nothing here; requests that a kill repeated; answers
   * cut short.
   */
  storeKeys?: string[]
  kept?: number
  repeated?: number
  cut?: number
  /** Why the model ended its last answer. */
  finish?: string
  /** The dialogues that outgrew the model's context, and what its endpoint said. */
  refused?: { transcript: number; reason: string }[]
  /** How its answers end. Absent for built-in models, and where a version before stored it. */
  endings?: AnswerEndings
  /** Questions that the model gave no answer to. */
  unanswered?: UnansweredQuestion[]
}

/** A mutant that is played in place of the reference. */
export interface PlayedMutant {
  mutant: JsonValue
  operator: string
  site: string
}

/** Open tool sessions: the number of calls of each. */
export type OpenSessions = Readonly<Record<number, number>>

/** The data carried from state to state. */
export interface CarriedState extends SampleEffort {
  tries: number
  sessions?: OpenSessions
  mutant?: PlayedMutant
  /** True if the fault may pass, so that another try may give a candidate. */
  passing?: true
}

/** The need that is sent for; its messages to append are already in the log. */
export type PendingNeed =
  | Exclude<EpisodeNeed, { kind: 'reply' }>
  | Omit<EpisodeNeed & { kind: 'reply' }, 'append' | 'tools'>

/** An episode that waits for what it needs. */
export interface PlayingState {
  episode: JsonValue
  need: PendingNeed
  log: EntryLog
}

export type SampleState = CarriedState &
  (
    | ({ step: 'play' } & PlayingState)
    /** The dialogue has ended; the sessions that it left open are closed. */
    | { step: 'close'; said: EpisodeStatement; notScored?: UnscoredReason; log: EntryLog }
    | { step: 'score'; said: EpisodeStatement; log: EntryLog }
    /** Reference and mutant on further inputs: an episode each, which is never scored. */
    | ({
        step: 'further'
        answer: string | null
        own: Observation[]
        /** The record of the sample's own episode. */
        ownLog?: EntryLog
        score: Score
        reference: Observation[] | null
      } & PlayingState)
  )

export interface SampleOutcome extends SampleEffort {
  scored: ScoredSample
  /** Not scored, and another try might be: something was away or busy. */
  passing?: true
  /** Not scored, as no answer of this form is right: nothing is wrong with the case. */
  unanswerable?: true
  answer: string | null
  /**
   * The dialogue, where it has more than one reply or asked somebody else: without what the episode's
   * beginning appended.
   */
  log?: EntryLog
  /** The rest of what scoring it again takes, where that is wanted. */
  record?: SampleRecord
}
export type SampleStep = FlowTransition<SampleState, SampleOutcome>

const selectEffort = ({
  retries,
  runtimes,
  sandboxes,
  canaries,
  tensorProviders,
  usage,
  parties,
  seeds,
  storeKeys,
  kept,
  repeated,
  cut,
  finish,
  refused,
  endings,
  unanswered,
}: SampleEffort): SampleEffort => ({
  retries,
  runtimes,
  ...(sandboxes && { sandboxes }),
  ...(canaries && { canaries }),
  ...(tensorProviders && { tensorProviders }),
  usage,
  ...(parties && { parties }),
  ...(seeds && { seeds }),
  ...(storeKeys && { storeKeys }),
  ...(kept && { kept }),
  ...(repeated && { repeated }),
  ...(cut && { cut }),
  ...(finish !== undefined && { finish }),
  ...(refused && { refused }),
  ...(endings && { endings }),
  ...(unanswered && { unanswered }),
})

/** The initial value. */
export const nothing: CarriedState = { tries: 0, retries: 0, runtimes: [], usage: noUsage }

/** The data carried to another step of the episode: tries are counted again from 0. */
export const selectCarried = ({ mutant, sessions, ...state }: CarriedState): CarriedState => ({
  tries: 0,
  ...selectEffort(state),
  ...(mutant && { mutant }),
  ...(sessions && { sessions }),
})

export type MutantOutcome = NonNullable<ScoredSample['mutant']>['outcome']

/**
 * How a sample may end: scored, a mutant with its outcome; or not scored, with whether a later try may
 * help.
 */
export type SampleEnd =
  | { score: Score; outcome?: MutantOutcome; further?: FurtherRuns }
  | { notScored: string; reason: UnscoredKind; passing?: boolean; unanswerable?: boolean }

/** A dialogue's log stands in the outcome already. */
function buildRecord(log: EntryLog, end: SampleEnd): { record?: SampleRecord } {
  if (!('score' in end)) return {}
  const { further } = end
  if (isDialogue(log)) return further ? { record: { further } } : {}
  return { record: { log, ...(further && { further }) } }
}

export function finish(
  carried: CarriedState,
  { case: { id }, sample, recorded }: SampleContext,
  { answer, log = emptyLog }: { answer: string | null; log?: EntryLog },
  end: SampleEnd,
): SampleStep {
  const { mutant } = carried
  const of = { case: id, sample }
  const scored: ScoredSample =
    'score' in end
      ? { ...of, score: end.score }
      : { ...of, score: null, notScored: end.notScored, reason: end.reason }
  if (mutant)
    scored.mutant = {
      operator: mutant.operator,
      site: mutant.site,
      outcome: ('score' in end && end.outcome) || 'not_scored',
    }
  const { passing, unanswerable } = 'notScored' in end ? end : {}
  return {
    done: {
      scored,
      ...(passing && { passing }),
      ...(unanswerable && { unanswerable }),
      answer,
      ...(isDialogue(log) && { log }),
      ...(recorded && buildRecord(log, end)),
      ...selectEffort(carried),
    },
  }
}
