/** The needs of items' states, and the flows that produce them. */
import type {
  AnyExecutionRequest,
  JsonValue,
  ScoreRequest,
  ToolSessionJob,
  Usage,
} from '@stateeval/contracts'
import type { NamedModel, ModelQuestion, UnansweredQuestion } from '@stateeval/models'
import type { StateFlow as AnyFlow } from '@stateeval/program'
import type { ItemFlow } from '@stateeval/workflow'

export {
  retryStep,
  type ItemAnswer,
  type FlowTransition,
  pauses,
  readRunResult,
  type FlowTrouble,
  describeTrouble,
} from '@stateeval/program'

export type ItemNeed =
  | { kind: 'generate'; payload: JsonValue }
  | { kind: 'translate'; payload: JsonValue }
  | { kind: 'execute'; payload: AnyExecutionRequest }
  | { kind: 'score'; payload: ScoreRequest }
  | { kind: 'session'; payload: ToolSessionJob }
  /** A question; without `part`, to the model under test or to the one that builds. */
  | { kind: 'ask'; payload: ModelQuestion; part?: string }
  /** Similarities, by an embeddings model. */
  | { kind: 'compare'; payload: { left: readonly string[]; right: readonly string[]; by: NamedModel } }

/** The result of comparing texts, and its cost; `silent` if a text has no vector. */
export interface ComparisonResult {
  end: { matrix: number[][] } | { silent: UnansweredQuestion }
  usage: Usage
  retries: number
  repeated: number
  /** How many vectors were there already. */
  kept: number
  storeKeys: string[]
}

export type SuiteFlow<C, S, Out> = AnyFlow<C, S, Out, ItemNeed>

/** A flow with its context, for the engine. */
export const bindFlow = <C, S, Out>(flow: SuiteFlow<C, S, Out>, context: C): ItemFlow<ItemNeed> => ({
  start: () => flow.start(context),
  resume: (state, answer) => flow.resume(state as S, answer, context),
  need: (state) => flow.need(state as S, context),
})
