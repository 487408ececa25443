/** Who is asked, as it was chosen when the work began. */
import type { NamedModel } from '@stateeval/models'

/** A model behind an endpoint, with its settings of when the work began. */
export interface Endpoint extends NamedModel {
  kind: 'endpoint'
  /** Asks anew also what was answered before. */
  fresh?: boolean
  /** Takes every answer from this recording. */
  recording?: string
}
export type ModelChoice =
  Endpoint | { kind: 'reference' } | { kind: 'mutant' } | { kind: 'given'; label: string; answers: string }

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

export const modelName = (model: ModelChoice) =>
  model.kind === 'endpoint' ? model.name : model.kind === 'given' ? model.label : model.kind

/** The models of a build's agents, each once. */
export const modelsOf = ({ generator, evaluator, coder }: BuildAgents): NamedModel[] =>
  [generator, evaluator, coder].filter(
    ({ name }, at, all) => all.findIndex((one) => one.name === name) === at,
  )
