/** What benchmarks and the host that runs their episodes exchange. All of it is JSON: it is stored between steps. */
import type { BenchmarkCase } from './case.ts'
import type { ExecutionRequest, ExecutionResult, Language, Observation } from './execution.ts'
import type { Json } from './json.ts'
import type { ModelToolCall, ModelTool } from './model.ts'

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  /** What an assistant asked to be called. */
  toolCalls?: ModelToolCall[]
  /** Which call a tool's message answers. */
  toolCallId?: string
}

/** How models are prompted; benchmarks say which of these they know. */
export type Prompting = 'direct' | 'cot' | 'reflect' | 'few-shot'

/** How much of the API documentation a model reads: all, the parts that the task needs among others, or nothing. */
export type DocumentationMode = 'full' | 'relevant' | 'none'

export interface EpisodeOptions {
  language: Language
  prompting: Prompting
  /** Default: full. */
  documentation?: DocumentationMode
  /** Under `reflect`: how often a model is shown its error and asked again. Default: 2. */
  rounds?: number
  /** Under `few-shot`: the solved cases that it is shown, drawn by the host from those that `Episode.mayShow` lets it. */
  examples?: readonly BenchmarkCase[]
  /** Which of the benchmark's setups; its first by default. */
  setup?: string
  /** For which kind of model the prompt is laid out; the benchmark's first by default. */
  layout?: string
}

/** What an episode needs from the host before it can go on. */
export type Need = { kind: 'reply'; messages: Message[]; tools?: ModelTool[] } | { kind: 'execute'; request: ExecutionRequest }

/** What the host answers. `unavailable` means that it gave up after retries: an infrastructure error, never the model's. */
export type EpisodeEvent =
  | { kind: 'reply'; text: string; toolCalls?: ModelToolCall[] }
  | { kind: 'executed'; result: ExecutionResult }
  | { kind: 'unavailable'; reason: string }

/** One answer of a model, and what running it showed. */
export interface Attempt {
  /** The whole answer; null where none could be had. */
  answer: string | null
  /** The code found in it; null where there was none. */
  code: string | null
  /** Why no code was found. */
  noCode?: string
  observations: Observation[]
  /** How each policy reads the answer, where policies read it differently. */
  readings?: Reading[]
}

/** What one policy takes for the code of an answer, and where its run stands among the observations: null where nothing ran. */
export interface Reading {
  policy: string
  code: string | null
  /** Why nothing ran. */
  noCode?: string
  run: number | null
}

/** What a model answered for one test case: its last attempt, with those before it. */
export interface Candidate extends Attempt {
  /** Earlier attempts, oldest first: there where the model was shown an error and asked again. */
  earlier?: Attempt[]
  /** Why there is nothing to score; counted apart, never against the model. */
  unavailable?: string
}

/** The state is the episode's own JSON; the host stores it with each event, so a crash resumes and a recording replays. */
export type Turn = { state: Json; need: Need } | { done: Candidate }

export interface ScoreRequest {
  benchmark: string
  policy?: string
  case: BenchmarkCase
  candidate: Candidate
}
