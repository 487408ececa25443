/**
 * What the process of ONNX Runtime is asked and tells; structured clones, so bytes are bytes. One graph at a
 * time.
 */
import type { CheckedGraph, Value } from './check.ts'
import type { Provider, RuntimeCounts } from './sessions.ts'

export interface GraphRequest {
  graph: CheckedGraph
  /** Places of the nodes whose values are asked for. */
  wanted: readonly number[]
}

export type Computed = Value & { bytes: Uint8Array }

export type GraphAnswer =
  /** Once, when it has come up. */
  | { kind: 'ready'; providers: Provider[] }
  | { kind: 'values'; values: [place: number, value: Computed][]; counts: RuntimeCounts }
  /** ONNX Runtime refused it, and is well. */
  | { kind: 'failed'; message: string }
