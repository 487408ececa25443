/** A sample on its way: who answers, what is carried from state to state, and how it ends. */
import type {
  BenchmarkCase,
  Candidate,
  EpisodeOptions,
  ExecutionRequest,
  Json,
  Message,
  ModelSettings,
  ModelTool,
  Observation,
  Score,
  ScoredSample,
  Usage,
} from '@stateeval/contracts'
import { noUsage } from '@stateeval/models'
import type { Benchmark } from '@stateeval/program'
import type { Unanswered } from '../asking/question.ts'
import type { Next } from './flow.ts'
import type { Fate } from './mutant.ts'

/** Who answers: a built-in, a named endpoint, or someone elsewhere (null where no answer was given for this sample). */
export type Responder =
  | { kind: 'reference' }
  | { kind: 'mutant' }
  | { kind: 'endpoint'; name: string; settings: ModelSettings }
  | { kind: 'given'; answer: string | null }

export interface SampleContext {
  benchmark: Benchmark
  case: BenchmarkCase
  sample: number
  responder: Responder
  /** `timeLimit`: seconds that code may run on each input, where the evaluation sets them. */
  options: EpisodeOptions & { policy?: string; seed: number | string; timeLimit?: number }
}

/** What the way of a sample took: carried from state to state, and told with its end. */
interface Effort {
  retries: number
  runtimes: string[]
  /** Runs by how they were isolated. */
  sandboxes?: Record<string, number>
  usage: Usage
  /** Where the model's answers are kept; how many of them cost nothing here; requests that a kill repeated; answers cut short. */
  places?: string[]
  kept?: number
  repeated?: number
  cut?: number
  /** Why the model ended its last answer. */
  finish?: string
  /** Questions that the model gave no answer to. */
  unanswered?: Unanswered[]
}
/** What is carried from state to state. */
export interface Carried extends Effort {
  tries: number
  mutant?: { operator: string; site: string }
  /** What keeps it from a candidate now may be over later. */
  passing?: true
}
export type SampleState = Carried &
  (
    | { step: 'ask'; episode: Json; messages: Message[]; tools?: ModelTool[] }
    | { step: 'execute'; episode: Json; request: ExecutionRequest }
    | { step: 'score'; candidate: Candidate; request: ExecutionRequest | null }
    | { step: 'further'; candidate: Candidate; request: ExecutionRequest; score: Score; reference: Observation[] | null }
  )
export interface SampleOutcome extends Effort {
  scored: ScoredSample
  /** Not scored, and another try might be: something was away or busy. */
  passing?: true
  answer: string | null
}
export type Step = Next<SampleState, SampleOutcome>

const effortOf = ({ retries, runtimes, sandboxes, usage, places, kept, repeated, cut, finish, unanswered }: Effort): Effort => ({
  retries,
  runtimes,
  ...(sandboxes && { sandboxes }),
  usage,
  ...(places && { places }),
  ...(kept && { kept }),
  ...(repeated && { repeated }),
  ...(cut && { cut }),
  ...(finish !== undefined && { finish }),
  ...(unanswered && { unanswered }),
})

/** At the beginning. */
export const nothing: Carried = { tries: 0, retries: 0, runtimes: [], usage: noUsage }

/** What goes on to another step of the episode: tries are counted anew. */
export const carriedOf = ({ mutant, ...state }: Carried): Carried => ({ tries: 0, ...effortOf(state), ...(mutant && { mutant }) })

/** How a sample may end: scored, a mutant with its fate; or not, and then perhaps later. */
export type End = { score: Score; fate?: Fate } | { notScored: string; passing?: boolean }

export function finish(carried: Carried, { case: { id }, sample }: SampleContext, answer: string | null, end: End): Step {
  const { mutant } = carried
  const of = { case: id, sample }
  const scored: ScoredSample = 'score' in end ? { ...of, score: end.score } : { ...of, score: null, notScored: end.notScored }
  if (mutant) scored.mutant = { ...mutant, fate: ('score' in end && end.fate) || 'not_scored' }
  const passing = 'notScored' in end && end.passing === true
  return { done: { scored, ...(passing && { passing }), answer, ...effortOf(carried) } }
}
