/** A benchmark: a versioned set of test cases with how to prompt, execute, score and aggregate. Pure. */
import type {
  Candidate,
  Case,
  EpisodeEvent,
  EpisodeOptions,
  Input,
  Json,
  Language,
  Observation,
  Prompting,
  ReportResult,
  Score,
  ScoredSample,
  Turn,
} from '@stateeval/contracts'
import type { Rng } from './rng.ts'
import type { Scenario } from './scenario.ts'

/** What a benchmark may look up: scenarios come in as an argument, never by import. */
export interface BenchmarkHost {
  scenario(id: string): Scenario
}

export interface Episode {
  start(c: Case, options: EpisodeOptions): Turn
  resume(state: Json, event: EpisodeEvent): Turn
  /** Whether a solved case may stand as an example before another one without giving its solution away. Absent: none may. */
  mayShow?(c: Case, example: Case): boolean
}

/** What the built-in model `mutant` needs of a benchmark. */
export interface Mutants {
  /** One operator drawn uniformly from those that apply, then a site, without a look at the oracle; null where none applies. */
  mutate(c: Case, language: Language, rng: Rng): { answer: string; operator: string; site: string } | null
  /** Further inputs that tell whether a surviving mutant is equivalent. */
  furtherInputs(c: Case, count: number, rng: Rng): Input[]
  /** Whether two runs of one input agree up to ids, judged by code that is not the scorer's. */
  agree(a: Observation, b: Observation): boolean
}

export interface Benchmark {
  id: string
  title: string
  version: string
  policies: readonly string[]
  verdicts: readonly string[]
  promptings: readonly Prompting[]
  languages: readonly Language[]
  /** Parses and validates one line of cases.jsonl; the error names the field. */
  parse(line: string): Case
  /** What a model would have to answer to pass: replayed before any model is evaluated. */
  selfCheck(c: Case, language: Language): string | null
  episode: Episode
  score(request: { case: Case; candidate: Candidate; policy?: string }): Score
  aggregate(
    samples: readonly ScoredSample[],
    cases: readonly Case[],
    about: Pick<ReportResult, 'benchmark' | 'model' | 'options'>,
  ): ReportResult
  mutants?: Mutants
}
export type MakeBenchmark = (host: BenchmarkHost) => Benchmark
