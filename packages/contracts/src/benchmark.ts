/** What benchmarks and the host that runs their episodes exchange. All of it is JSON: it is stored between steps. */
import type { Case } from './case.ts'
import type { ExecutionRequest, ExecutionResult, Language, Observation } from './execution.ts'
import type { Json } from './json.ts'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** How models are prompted; benchmarks say which of these they know. */
export type Prompting = 'direct' | 'cot' | 'reflect' | 'few-shot'

export interface EpisodeOptions {
  language: Language
  prompting: Prompting
}

/** What an episode needs from the host before it can go on. */
export type Need = { kind: 'reply'; messages: Message[] } | { kind: 'execute'; request: ExecutionRequest }

/** What the host answers. `unavailable` means that it gave up after retries: an infrastructure error, never the model's. */
export type EpisodeEvent =
  { kind: 'reply'; text: string } | { kind: 'executed'; result: ExecutionResult } | { kind: 'unavailable'; reason: string }

/** What a model answered for one test case, and what running it showed. */
export interface Candidate {
  /** The whole answer; null where none could be had. */
  answer: string | null
  /** The code found in it; null where there was none. */
  code: string | null
  observations: Observation[]
  /** Why there is nothing to score; counted apart, never against the model. */
  unavailable?: string
}

/** The state is the episode's own JSON; the host stores it with each event, so a crash resumes and a recording replays. */
export type Turn = { state: Json; need: Need } | { done: Candidate }

export interface ScoreRequest {
  benchmark: string
  policy?: string
  case: Case
  candidate: Candidate
}
