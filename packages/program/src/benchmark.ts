/**
 * A benchmark: a versioned set of test cases, and how to prompt, execute, score and aggregate them. Pure.
 */
import type {
  BenchmarkCase,
  Candidate,
  EpisodeEvent,
  EpisodeOptions,
  EvaluationOptions,
  ExecutionInput,
  JsonValue,
  JudgePart,
  Language,
  ListedCall,
  LivePart,
  Manifest,
  Message,
  AnswerMode,
  ModelTool,
  Observation,
  PairedRun,
  Prompting,
  SpeakerReply,
  ReportResult,
  Score,
  ScoredSample,
  SecondOpinion,
  SeededSet,
  Transcript,
  EpisodeTransition,
} from '@stateeval/contracts'
import type { BenchmarkBuild } from './build.ts'
import type { LimitRange } from './limits.ts'
import type { MeasureDirections } from './measure-direction.ts'
import type { PromptFile } from './prompt-slots.ts'
import type { RandomSource } from './rng.ts'
import type { Scenario } from './scenario.ts'
import type { PromptWriting } from './writing.ts'

/** Look-ups for benchmarks: scenarios are arguments, never imports. */
export interface BenchmarkHost {
  scenario(id: string): Scenario
  /**
   * The bytes of an artifact that a case names; the host has read those of a case before it hands the case
   * over.
   */
  artifact?(sha256: string): Uint8Array
  /**
   * Another kind, where its way of asking and judging serves a case as well. It may be there only once all
   * kinds are made.
   */
  benchmark?(kind: string): Benchmark | undefined
}

/**
 * A conversation about one case, as a pure state machine. It gets the case and the options each time, so
 * its state stays small.
 */
export interface Episode<C extends BenchmarkCase = BenchmarkCase> {
  start(c: C, options: EpisodeOptions): EpisodeTransition
  /** `transcripts` hold the speaker's message that `event` tells of. */
  resume(
    c: C,
    options: EpisodeOptions,
    state: JsonValue,
    event: EpisodeEvent,
    transcripts: readonly Transcript[],
  ): EpisodeTransition
}

/** Answers in place of a model: the next reply to a waiting dialogue; null if there is none. */
export interface ReplyPlayer {
  (transcript: Transcript): SpeakerReply | null
}

/**
 * A part played by another party than the model under test. An evaluation does not begin if a required one
 * is not configured.
 */
export interface ConsultedParty {
  what: JudgePart | 'user' | 'similar' | LivePart
  required: boolean
}

/** A benchmark's support for the built-in model `mutant`. */
export interface MutantSupport<C extends BenchmarkCase = BenchmarkCase> {
  /**
   * One operator drawn uniformly from those that apply, then a site, without a look at the oracle; null where
   * none applies. The benchmark's `player` plays the mutant.
   */
  mutate(
    c: C,
    options: EpisodeOptions,
    rng: RandomSource,
  ): { mutant: JsonValue; operator: string; site: string } | null
  /** Further inputs that tell whether a surviving mutant is equivalent. */
  furtherInputs(c: C, count: number, rng: RandomSource): ExecutionInput[]
  /** Observations of the reference on the case's own inputs. */
  expected(c: C): Observation[]
  /**
   * Tells whether two runs of one input of the case agree up to ids, judged by code that is not the scorer's.
   */
  agree(c: C, a: Observation, b: Observation): boolean
  /**
   * Tells whether a failed mutant came to its end and was caught by comparing what it left; otherwise its
   * error or a limit caught it.
   */
  isCaughtByComparison(score: Score): boolean
}

/** The beginning of a dialogue; on one input of its case if each input has a separate dialogue. */
export interface FirstPrompt {
  input?: number
  messages: readonly Message[]
  tools: readonly ModelTool[]
  /** The tool that ends the dialogue: its arguments are RESULT. */
  ends?: string
}

/** How another model is asked for the root cause of a failed sample. */
export interface OpinionSupport<C extends BenchmarkCase = BenchmarkCase> {
  /** Its prompt, `second-opinion`. */
  prompt: PromptFile
  /** The root causes that the scorer and the model may name, in the order in which a report shows them. */
  causes: readonly string[]
  /**
   * The question: the prompt filled with the case, the answer (null where there was none), and what was seen
   * of it.
   */
  ask(
    prompt: string,
    failure: { case: C; answer: string | null; score: Score; language: Language },
  ): Message[]
  read: (answer: string) => Extract<SecondOpinion, { cause: unknown }>
}

/** A set made from published data. */
export interface DatasetSet {
  /** Lines of cases.jsonl. */
  lines: string[]
  /** Bytes by SHA-256. */
  artifacts: Readonly<Record<string, Uint8Array>>
  about: Pick<Manifest, 'seed' | 'options' | 'counts' | 'filtered' | 'statistics'> & {
    versions: Record<string, string>
  }
  readme: string
  warnings: string[]
}

/** Parameters for a model, by prompting; they override its own parameters of the same names. */
export interface SettingsPreset {
  (options: Pick<EvaluationOptions, 'layout' | 'samples'>): Readonly<Record<string, JsonValue>>
}

/** How a case is put to a model. */
interface AskingTraits<C extends BenchmarkCase = BenchmarkCase> {
  promptings: readonly Prompting[]
  /** Languages of its programs; absent where it has none. */
  languages?: readonly Language[]
  /**
   * Ways in which a task is put, and kinds of models that prompts are laid out for, where there are several;
   * the first is the default.
   */
  setups?: readonly string[]
  layouts?: readonly string[]
  /** Generation settings that have a name, such as those of the published figures. */
  settings?: Readonly<Record<string, SettingsPreset>>
  /** Ways in which a case is answered, where there are several; the first is the default. */
  modes?: readonly AnswerMode[]
  /** Options that this benchmark has other defaults for. */
  defaults?: Partial<Pick<EvaluationOptions, 'documentation'>>
  /**
   * Why options that are known each by itself don't go together: the field, and what to do. null where they
   * do.
   */
  refuses?(options: EpisodeOptions): { field: string; says: string } | null
  /** The same for options that need something of the set's cases. */
  refusesFor?(c: C, options: EpisodeOptions): { field: string; says: string } | null
  /**
   * The first prompt under these options, where the episode begins with something else, such as
   * opening a world. Absent: what the episode asks first.
   */
  prompts?(c: C, options: EpisodeOptions): readonly FirstPrompt[] | null
  /** The further parts that a dialogue under these options has. Absent: none. */
  consults?(options: EpisodeOptions): readonly ConsultedParty[]
  /**
   * Features of a chat that its conversations need, which plain completions lack: tools, or turns
   * with roles. Absent: nothing; a system message and a task can stand in one text.
   */
  chat?(options: EpisodeOptions): readonly ('tools' | 'roles')[]
  /**
   * Tells whether a solved case may stand as an example before another one without giving its solution away.
   * Absent: none may.
   */
  mayShow?(c: C, example: C): boolean
}

/** What dialogues have that single answers lack. */
interface DialogueTraits<C extends BenchmarkCase = BenchmarkCase> {
  limits: LimitRange
  /** The calls of the reference by step, where dialogues are led by such calls. */
  steps?(c: C): readonly (readonly ListedCall[])[]
}

/** How sets are made. */
interface BuildingSupport<C extends BenchmarkCase = BenchmarkCase> {
  /**
   * The set made from published data, by path of their files. Throws a problem that names the entry at fault.
   */
  fromDataset?(files: Readonly<Record<string, string>>): DatasetSet
  /**
   * Treatment of cases whose own reference fails the baseline check: by default the set is refused, as it was
   * built wrongly; `left out` scores the other cases, where truths were made elsewhere and nothing can be
   * built anew.
   */
  failingReferences?: 'left out'
  /** The set that a seed alone makes; gives way after each sample. */
  fromSeed?(options: Omit<SeededSet, 'kind'> & { seed: string | number }): Generator<void, DatasetSet>
  /** From programs of scenarios. */
  build?: BenchmarkBuild<C>
  /** How tasks for any specification are written by a model and checked. */
  writing?: PromptWriting
}

/** What reports of a kind say, and how they explain failures. */
interface ReportTraits<C extends BenchmarkCase = BenchmarkCase> {
  /** Which way each measure is better, by the beginning of its name. Absent: there are none. */
  measures?: MeasureDirections
  /** The list of its errors that comparisons show, one entry for each part of the set. Absent: none. */
  comparedErrors?: string
  /**
   * Pairs the outcome on each input with what the reference left, as the score does; null where it left
   * nothing to compare. A run of a dialogue has one input: `first`. Absent: the benchmark compares nothing of
   * the kind.
   */
  paired?(c: C, observations: readonly Observation[], run?: PairedProgram): (PairedRun | null)[]
  /** There only where failures have root causes. */
  opinions?: OpinionSupport<C>
}

/**
 * `C` is the type of its cases; a host with many benchmarks passes each only cases that its own `parse`
 * accepted.
 */
export interface Benchmark<C extends BenchmarkCase = BenchmarkCase> {
  /** The name of its folder in `benchmarks/`. */
  kind: string
  title: string
  version: string
  policies: readonly string[]
  verdicts: readonly string[]
  asking: AskingTraits<C>
  /** Absent where it leads none, so that an evaluation can set no limits. */
  dialogues?: DialogueTraits<C>
  /** Absent where no sets can be made here. */
  building?: BuildingSupport<C>
  /** Parses and validates one line of cases.jsonl; the error names the field. */
  parse(line: string): C
  episode: Episode<C>
  /**
   * Plays the reference, which must pass before any model is evaluated, or that mutant of it. Null where the
   * case has none under these options.
   */
  player(c: C, options: EpisodeOptions, mutant?: JsonValue): ReplyPlayer | null
  score(request: { case: C; candidate: Candidate; policy?: string }): Score
  aggregate(
    samples: readonly ScoredSample[],
    cases: readonly C[],
    about: Pick<ReportResult, 'digest' | 'model' | 'options'>,
  ): ReportResult
  reporting?: ReportTraits<C>
  mutants?: MutantSupport<C>
}
/** A program that ran: the place of its first input, and its code where it has one. */
export interface PairedProgram {
  first?: number
  code?: string
}
export type MakeBenchmark<C extends BenchmarkCase = BenchmarkCase> = (host: BenchmarkHost) => Benchmark<C>
