/**
 * How sets of a benchmark are built from programs of scenarios: a flow from each program to a test case,
 * then the set from all outcomes. Pure: the host generates, executes, translates and asks, and records the
 * cost of questions.
 */
import type {
  AnyExecutionRequest,
  BenchmarkCase,
  BuildOptions,
  GenerateResult,
  JsonValue,
  Message,
  Program,
  Review,
} from '@stateeval/contracts'
import type { DatasetSet } from './benchmark.ts'
import type { StateFlow } from './flow.ts'
import type { Scenario } from './scenario.ts'
import type { ArtifactBytes } from './tensor/artifacts.ts'

/** The parts of translating agents; the host knows the models behind these names. */
export type AgentPart = 'generator' | 'evaluator' | 'coder'

/** Needs of a program's flow. */
export type BuildNeed =
  | { kind: 'execute'; payload: AnyExecutionRequest }
  /** A request to the translation service. */
  | { kind: 'translate'; payload: JsonValue }
  /** Answered with a `BuildReply`. The same part, messages and sample are the same question. */
  | { kind: 'ask'; part: AgentPart; messages: Message[]; sample: number }

/** A model's answer. */
export interface BuildReply {
  text: string
  finish: string
  /** Tries after the first. */
  retries: number
}

export interface ProgramContext {
  program: Program
  scenario: Scenario
  /** Artifacts of the program's values. */
  artifacts: ArtifactBytes
  options: Pick<BuildOptions, 'languages' | 'translator' | 'seed'>
  /** Which of a model's answers the seed takes. */
  sample: number
  /** Options of translating agents: how often they negotiate and prove, and their prompts. */
  agents?: { rounds: number; tries: number; prompts: Readonly<Record<string, string>> }
}

/** The models' work on one program, verified or not. */
export interface BuildEvidence<C extends BenchmarkCase = BenchmarkCase> extends Pick<
  Review,
  'dialogue' | 'tries' | 'status' | 'reason'
> {
  /** The test case with the instruction; an empty one where there is none. */
  case: C
}

/**
 * How a program ended. `dropped` names the filter and a reason from a short list; `detail` describes the
 * observation.
 */
export type ProgramEnd<C extends BenchmarkCase = BenchmarkCase> = {
  retries: number
  review?: BuildEvidence<C>
} & (
  | { status: 'passed'; case: C; runtimes: string[] }
  | { status: 'dropped'; phase: 'oracle' | 'translate' | 'review'; reason: string; detail: string }
)

/** The programs of one scenario in the order of generation, and the generation's counts. */
export interface BuiltPart<C extends BenchmarkCase = BenchmarkCase> {
  scenario: string
  ends: readonly ProgramEnd<C>[]
  generation: GenerateResult['statistics']
}

/** The result of a build. */
export interface BuiltSet extends Pick<DatasetSet, 'lines' | 'about' | 'readme'> {
  /** SHA-256 of what the cases name; the host has stored it with the programs. */
  artifacts: readonly string[]
}

export interface BenchmarkBuild<C extends BenchmarkCase = BenchmarkCase> {
  /** Why no program of a scenario becomes a case; null where programs do. */
  unfit?(scenario: Scenario): string | null
  flow: StateFlow<ProgramContext, JsonValue, ProgramEnd<C>, BuildNeed>
  /**
   * The set: a sample drawn by the build's seed; null where no program passed. `versions` are the host's and
   * the scenarios'.
   */
  assemble(
    parts: readonly BuiltPart<C>[],
    options: BuildOptions,
    versions: Readonly<Record<string, string>>,
  ): Promise<BuiltSet | null>
  /** How people decide about instructions; absent where they don't. */
  review?: {
    /** Shows more of a case than its instruction. */
    show(c: C, options: BuildOptions): { program: string; code: string }
    /** Why an instruction may not stand in the case, as a sentence; null where it may. */
    faultOf(c: C, instruction: string): string | null
    /** The case as a person accepted or edited it. */
    decided(c: C, instruction: string, decision: 'accept' | 'edit'): C
  }
}
