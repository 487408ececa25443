import type { JsonValue } from '@stateeval/contracts'

/** A graph as it comes from a jail: nodes in an order in which each refers to earlier ones only. */
export interface WireNode {
  op: string
  in?: number[]
  [attribute: string]: unknown
}

export interface WireGraph {
  nodes: WireNode[]
  /** Places of the nodes whose values are asked for. */
  outputs: number[]
  /** [place, number]: values that later graphs of the run may refer to by the number. */
  keep: [number, number][]
  /** The outputs stand in RESULT: of large ones a summary is enough. */
  summarize?: boolean
}

export type GraphReply = {
  outputs: ({ dtype: string; shape: number[] } & ({ data: string } | { summary: JsonValue }))[]
  /** Numbers of what was kept; absent where all of `keep` was. */
  kept?: number[]
}
