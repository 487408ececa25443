/** An owner: the long work that items belong to, a build or an evaluation. It goes through stages; a stage is a number of items. */
import type {
  Budget,
  BuildOptions,
  EvaluationOptions,
  JobStatus,
  Manifest,
  ModelSettings,
  SelfCheck,
  Usage,
  WritingOptions,
} from '@stateeval/contracts'
import type { NamedModel } from '@stateeval/models'
import type { Stage } from '@stateeval/workflow'

interface Common {
  id: string
  status: JobStatus
  /** The stage it is at. */
  stage: string
  stages: Record<string, Stage>
  createdAt: string
  finishedAt?: string
  error?: string
}

/** The programs of one scenario, as the generation gave them: a place in the sequence of all. */
export interface GeneratedSet {
  scenario: string
  first: number
  count: number
}

/** The models behind the names in a build's options. */
export interface BuildAgents {
  generator: NamedModel
  evaluator: NamedModel
  coder: NamedModel
  rounds: number
  tries: number
  /** Asks anew also what was answered before. */
  fresh?: boolean
  /** Takes every answer from this recording. */
  recording?: string
}

/** A specification that tasks are written for, and by whom, as it was when the build began. */
export interface TaskWriting {
  options: WritingOptions
  /** SHA-256 of the specification's text. */
  specification: string
  /** An artifact: that text, and the prompts. */
  bundle: string
  /** Hash of the prompts: it stands among the versions of the set. */
  prompts: string
  model: Extract<ModelChoice, { kind: 'endpoint' }>
}

export interface BenchmarkOwner extends Common {
  kind: 'benchmark'
  benchmark: string
  origin: 'build' | 'import' | 'review'
  build?: BuildOptions
  sets?: GeneratedSet[]
  manifest?: Manifest
  /** Who the agents of the build are, as they were when it began. */
  agents?: BuildAgents
  usage?: Usage
  costUsd?: number | null
  /** Where the set is of tasks that a model writes. */
  writing?: TaskWriting
  budget?: Budget
  /** The build whose instructions were decided about. */
  reviewed?: string
  /** What the import of published data found odd. */
  warnings?: string[]
}

export type ModelChoice =
  | { kind: 'reference' }
  | { kind: 'mutant' }
  | {
      kind: 'endpoint'
      name: string
      settings: ModelSettings
      /** Asks anew also what was answered before. */
      fresh?: boolean
      /** Takes every answer from this recording. */
      recording?: string
    }
  | { kind: 'given'; label: string; answers: string }

/** A model that is asked, as it was when the evaluation began. */
export type Endpoint = Extract<ModelChoice, { kind: 'endpoint' }>

/** The model that is asked why samples failed, as it was when the evaluation began. */
export interface Opinion {
  by: Extract<ModelChoice, { kind: 'endpoint' }>
  /** An artifact: the prompt. */
  prompt: string
  /** An artifact: the places of the failed samples, once they are known. */
  failed?: string
}
/** The stage in which it is asked. */
export const opinionStage = 'opinions'

export interface EvaluationOwner extends Common {
  kind: 'evaluation'
  benchmark: string
  /** What the items need of the benchmark resource, which never changes. */
  set: { manifest: string; benchmark: string; cases: number }
  model: ModelChoice
  options: EvaluationOptions
  opinion?: Opinion
  /** Who plays further parts of its dialogues, by part. */
  parties?: Readonly<Record<string, Endpoint>>
  budget?: Budget
  selfCheck?: SelfCheck
  /** The self-check could not be finished; it begins anew when the evaluation goes on. */
  unchecked?: true
  /** What is known once it has ended; the report's result is an artifact. */
  ended?: {
    result: string
    scored: number
    passed: number
    notScored: number
    timeouts?: number
    retries: number
    runtimes: string[]
    sandboxes?: Record<string, number>
    usage: Usage
    kept?: number
    repeated?: number
    cut?: number
    /** What those who play further parts used, by part. */
    parties?: Record<string, Usage>
    /** What second opinions used. */
    opinions?: { usage: Usage; retries: number; kept: number; repeated: number }
    /** An artifact: what each case used. */
    cases?: string
    host: string
  }
}
export type Owner = BenchmarkOwner | EvaluationOwner

/** Whether models are asked now for what nothing depends on. */
export const asksOpinions = (owner: Owner): owner is EvaluationOwner & { opinion: Opinion } =>
  owner.kind === 'evaluation' && owner.stage === opinionStage && owner.opinion !== undefined

export const isEnded = ({ status }: Owner) => status !== 'queued' && status !== 'running'
export const modelName = (model: ModelChoice) =>
  model.kind === 'endpoint' ? model.name : model.kind === 'given' ? model.label : model.kind

/** The models of a build's agents, each once. */
export const modelsOf = ({ generator, evaluator, coder }: BuildAgents): NamedModel[] =>
  [generator, evaluator, coder].filter(
    ({ name }, at, all) => all.findIndex((one) => one.name === name) === at,
  )
