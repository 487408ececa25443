/** An owner: the long work that items belong to, a build or an evaluation. It goes through stages; a stage is a number of items. */
import type { BuildOptions, EvaluationOptions, JobStatus, Manifest, ModelSettings, SelfCheck, Usage } from '@stateeval/contracts'

export interface Stage {
  total: number
  /** Items in flight at most: item k + window starts when item k is done, so lane k mod window is a chain. */
  window: number
}

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

export interface BenchmarkOwner extends Common {
  kind: 'benchmark'
  benchmark: string
  origin: 'build' | 'import'
  build?: BuildOptions
  sets?: GeneratedSet[]
  manifest?: Manifest
}

export type ModelChoice =
  | { kind: 'reference' }
  | { kind: 'mutant' }
  | { kind: 'endpoint'; name: string; settings: ModelSettings }
  | { kind: 'given'; label: string; answers: string }

export interface EvaluationOwner extends Common {
  kind: 'evaluation'
  benchmark: string
  /** What the items need of the benchmark resource, which never changes. */
  set: { manifest: string; benchmark: string; cases: number }
  model: ModelChoice
  options: EvaluationOptions
  selfCheck?: SelfCheck
  /** What is known once it has ended; the report's result is an artifact. */
  ended?: {
    result: string
    scored: number
    passed: number
    notScored: number
    retries: number
    runtimes: string[]
    usage: Usage
    host: string
  }
}
export type Owner = BenchmarkOwner | EvaluationOwner

export const isEnded = ({ status }: Owner) => status !== 'queued' && status !== 'running'
export const modelName = (model: ModelChoice) =>
  model.kind === 'endpoint' ? model.name : model.kind === 'given' ? model.label : model.kind
