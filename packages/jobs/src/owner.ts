/**
 * An owner: a build or an evaluation, the long work that items belong to. It passes through stages; a stage
 * is a number of items.
 */
import type {
  AnswerEnding,
  BaselineCheck,
  UsageBudget,
  BuildOptions,
  EntityChange,
  EvaluationOptions,
  JobStatus,
  Manifest,
  TensorProvider,
  Usage,
  WritingOptions,
} from '@stateeval/contracts'
import type { BuildAgents, EndpointModel } from '@stateeval/flows'
import type { WorkflowStage } from '@stateeval/workflow'
import type { ModelChoice } from './choice.ts'

/** A change for webhooks; `n` counts the changes of the owner. */
interface OwnerChange {
  what: EntityChange
  n: number
  at: string
}
/** Number of kept changes: an owner may be stopped and resumed any number of times. */
export const keptChanges = 20

/** The changes of an owner, plus one. */
export function withChange(
  { changes = [] }: Pick<JobOwner, 'changes'>,
  what: EntityChange,
  at: string,
): { changes: readonly OwnerChange[] } {
  const n = (changes.at(-1)?.n ?? -1) + 1
  return { changes: [...changes, { what, n, at }].slice(-keptChanges) }
}

interface OwnerFields {
  id: string
  status: JobStatus
  /** The stage it is at. */
  stage: string
  stages: Record<string, WorkflowStage>
  createdAt: string
  finishedAt?: string
  error?: string
  /** Its changes, the newest last. Absent in those from before there were webhooks. */
  changes?: readonly OwnerChange[]
  /** Provider of its tensors, where that was asked for. */
  provider?: TensorProvider
  /** The `traceparent` of the request that began it, or that it was resumed by last. */
  trace?: string
}

/** The programs of one scenario from a generation: a range in the sequence of all programs. */
export interface GeneratedSet {
  scenario: string
  first: number
  count: number
}

/** A specification, and the model that writes tasks for it, both as of the build's beginning. */
export interface TaskWriting {
  options: WritingOptions
  /** SHA-256 of the specification's text. */
  specification: string
  /** An artifact: that text, and the prompts. */
  bundle: string
  /** Hash of the prompts: it stands among the versions of the set. */
  prompts: string
  model: EndpointModel
}

interface SetOwner extends OwnerFields {
  entity: 'benchmark'
  kind: string
  /** Once the set is there. */
  manifest?: Manifest
}
/** Limits and usage of questions to models. */
interface QuestionTerms {
  budget?: UsageBudget
  usage?: Usage
}

/** A build in which programs of scenarios are generated, run and translated. */
export interface BuildOwner extends SetOwner, QuestionTerms {
  origin: 'build'
  build: BuildOptions
  sets?: GeneratedSet[]
  /** Agents of the build, as they were when it began. */
  agents?: BuildAgents
  costUsd?: number | null
}
/** A build in which a model writes tasks for a specification. */
export interface DatasetOwner extends SetOwner, QuestionTerms {
  origin: 'dataset'
  writing: TaskWriting
}
/** A set that came from outside. */
interface ImportOwner extends SetOwner {
  origin: 'import'
  manifest: Manifest
  /** Warnings of the import. */
  warnings?: string[]
}
/** A set made anew from a build about which people decided. */
interface ReviewOwner extends SetOwner {
  origin: 'review'
  manifest: Manifest
  /** The build. */
  reviewed: string
  build?: BuildOptions
  writing?: TaskWriting
}
export type BenchmarkOwner = BuildOwner | DatasetOwner | ImportOwner | ReviewOwner

/** The model that explains failed samples, as of the evaluation's beginning. */
export interface OpinionRequest {
  by: EndpointModel
  /** An artifact: the prompt. */
  prompt: string
  /** An artifact: the places of the failed samples, once they are known. */
  failed?: string
}
/** The stage that asks for opinions. */
export const opinionStage = 'opinions'
/**
 * The stage before the samples of an evaluation without a baseline check: it has no items, and its end is the
 * probe of the model.
 */
export const modelProbeStage = 'model'

/**
 * The stages of the baseline check. A repeated check has new names, because outcomes of items are
 * permanent.
 */
export const checkStage = (stage: 'probe' | 'check', round: number) =>
  round === 1 ? stage : `${stage}-${round}`
/** The kind and round of a stage of the baseline check; null for other stages. */
export function readCheckStage(name: string): { stage: 'probe' | 'check'; round: number } | null {
  const match = /^(probe|check)(?:-(\d+))?$/.exec(name)
  return match && { stage: match[1] as 'probe' | 'check', round: Number(match[2] ?? 1) }
}

export interface EvaluationOwner extends OwnerFields {
  entity: 'evaluation'
  benchmark: string
  /** Fields of the benchmark resource that items need; they never change. */
  set: { digest: string; kind: string; cases: number }
  model: ModelChoice
  options: EvaluationOptions
  opinion?: OpinionRequest
  /** The model's endpoint is probed before the first question, unless it is known. */
  probesFirst?: true
  /** How that went, if it was. */
  probed?: { status: 'done' | 'failed'; reason?: string; remedies?: string[]; usage: Usage }
  /** Models that play further parts of its dialogues, by part. */
  parties?: Readonly<Record<string, EndpointModel>>
  budget?: UsageBudget
  /** Words that people find it by, sorted. */
  tags?: readonly string[]
  baselineCheck?: BaselineCheck
  /**
   * True if everything is kept that scoring its samples again needs. Absent in evaluations of earlier
   * versions.
   */
  recorded?: true
  /** It scores another evaluation's samples again: which, and how many samples each case has there. */
  rescored?: { evaluation: string; samples: number }
  /** The baseline check could not be finished; it begins anew when the evaluation continues. */
  unchecked?: true
  /** Facts known at its end; the report's result is an artifact. */
  ended?: {
    result: string
    /** An artifact: the result without its samples. Absent in evaluations of earlier versions. */
    figures?: string
    scored: number
    passed: number
    notScored: number
    timeouts?: number
    retries: number
    runtimes: string[]
    sandboxes?: Record<string, number>
    canaries?: Record<string, number>
    tensorProviders?: Record<string, number>
    usage: Usage
    kept?: number
    repeated?: number
    cut?: number
    endings?: AnswerEnding[]
    /** Usage of the models that play further parts, by part. */
    parties?: Record<string, Usage>
    /** Usage of second opinions. */
    opinions?: { usage: Usage; retries: number; kept: number; repeated: number }
    /** An artifact: what each case used. */
    cases?: string
    host: string
  }
}
export type JobOwner = BenchmarkOwner | EvaluationOwner

/** Tells whether the owner asks for opinions, on which nothing else depends. */
export const hasOpinionStage = (owner: JobOwner): owner is EvaluationOwner & { opinion: OpinionRequest } =>
  owner.entity === 'evaluation' && owner.stage === opinionStage && owner.opinion !== undefined

export const isEnded = ({ status }: JobOwner) => status !== 'queued' && status !== 'running'

/** How to continue an owner that the project's budget stopped, after the budget is raised. */
export const describeContinuation = (id: string) =>
  id.startsWith('ev_')
    ? `resume the evaluation: POST /v1/evaluations/${id}/resume`
    : id.startsWith('pr_')
      ? 'probe the model again'
      : 'build again; earlier answers are reused'

/**
 * The start of an owner's error if one of its jobs was given up. Other errors have reasons that a new job
 * cannot fix.
 */
export const cannotContinue = 'cannot continue'
