/** The graphs that are timed, as the host gets them from a jail; eager.py has the same. */
import { encodeBase64 } from '@stateeval/program'
import { checkGraph, type CheckedGraph } from '../../scenarios/tensor-operation/backend/graph/check.ts'

export const kinds = ['products', 'sums'] as const
type Kind = (typeof kinds)[number]

export const numbers = (side: number) =>
  encodeBase64(new Uint8Array(Float32Array.from({ length: side * side }, (_, at) => at % 7).buffer))

/** Products: (a·b + c) transposed, times b. Sums: eight of the same size, as much memory as computing. */
export function graphOf(kind: Kind, side: number): CheckedGraph {
  const leaf = { op: 'leaf', dtype: 'float32', shape: [side, side], data: numbers(side) }
  const add = (...places: number[]) => ({ op: 'add', in: places })
  const nodes =
    kind === 'products'
      ? [
          ...[leaf, leaf, leaf, { op: 'matmul', in: [0, 1] }, add(3, 2)],
          { op: 'permute', in: [4], dims: [1, 0] },
          { op: 'matmul', in: [5, 1] },
        ]
      : [leaf, leaf, leaf, add(0, 1), add(3, 2), add(4, 0), add(5, 1), add(6, 2), add(7, 0), add(8, 1)]
  return checkGraph({ nodes, outputs: [nodes.length - 1], keep: [] }, new Map())
}
