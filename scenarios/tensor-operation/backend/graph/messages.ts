/**
 * Messages exchanged with the process of ONNX Runtime; structured clones, so bytes stay bytes. One graph at a
 * time.
 */
import type { TensorSummary } from '@stateeval/contracts'
import type { CheckedGraph, GraphValue } from './check.ts'
import type { ProviderOperations, GraphProvider } from './provider.ts'
import type { RuntimeCounts } from './sessions.ts'

export interface GraphRequest {
  graph: CheckedGraph
  /** Places of the nodes whose values are asked for. */
  outputs: readonly number[]
  provider: GraphProvider
  /** Places of large ones among them, of which summaries are sent. */
  summarized: readonly number[]
}

export type ComputedValue = GraphValue & { bytes: Uint8Array }

export type GraphAnswer =
  /**
   * The result of one provider that the process was started to try; `libraries`: drivers that were loaded for
   * it.
   */
  | { kind: 'tried'; provider: GraphProvider; problem: string | null; libraries: string[] }
  /** Once, when it has come up. */
  | { kind: 'ready' }
  | {
      kind: 'values'
      values: [place: number, value: ComputedValue][]
      summaries: [place: number, summary: TensorSummary][]
      operations: ProviderOperations
      copies: number
      counts: RuntimeCounts
    }
  /** ONNX Runtime refused it, and is well. */
  | { kind: 'failed'; message: string; outOfMemory: boolean }
