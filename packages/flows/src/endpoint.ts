/** The models that are asked, as of the beginning of the work. */
import type { NamedModel } from '@stateeval/models'

/** A model behind an endpoint. */
export interface EndpointModel extends NamedModel {
  kind: 'endpoint'
  /** Asks every question again, including those already answered. */
  fresh?: boolean
  /** Takes every answer from this recording. */
  recording?: string
  /** Takes every answer from the first of these evaluations and recordings that has one; nobody is asked. */
  responses?: readonly string[]
}

/** The models behind the names in a build's options. */
export interface BuildAgents {
  generator: NamedModel
  evaluator: NamedModel
  coder: NamedModel
  rounds: number
  tries: number
  /** Asks every question again, including those already answered. */
  fresh?: boolean
  /** Takes every answer from this recording. */
  recording?: string
}
