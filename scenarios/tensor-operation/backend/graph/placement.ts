/**
 * Which operations a device computes. On CUDA, ONNX Runtime decides. On WebGPU only those whose results are
 * the CPU's up to the order of sums: the shading language (WGSL) rounds float32 sums and products as IEEE 754
 * does, but lets quotients, roots and functions be off by some units, and a driver treat NaN and infinities
 * as it likes and flush subnormal numbers. Everything else runs on the CPU within the same graph. What
 * follows for tolerances is in docs/decisions/tensor-tolerance.md.
 */
import { type CheckedGraph, type CheckedNode, count, type GraphValue } from './check.ts'

const promised = new Set([
  ...['reshape', 'expand', 'permute', 'cat', 'slice', 'gather'],
  ...['add', 'sub', 'mul', 'neg', 'abs', 'floor', 'ceil'],
  ...['sum', 'matmul', 'conv'],
])
/** Kernels index up to so many dimensions. */
const maxRank = 6

const isSimple = ({ dtype, shape }: GraphValue) =>
  dtype === 'float32' && shape.length <= maxRank && count(shape) > 0

/** Tells whether WebGPU computes this node. */
export const isOnWebgpu = (node: CheckedNode, { nodes }: CheckedGraph): boolean =>
  promised.has(node.op) && isSimple(node) && node.in.every((place) => isSimple(nodes[place]!))

/** Magnitudes outside of these are subnormal soon, or infinite. */
const least = 2 ** -100
const largest = 2 ** 100

/**
 * Tells whether WGSL defines the results of a graph with these numbers in its inputs or outputs: all are
 * finite, and the largest is neither so small that flushing could show nor so large that intermediate values
 * may overflow.
 */
export function isOrdinary({ dtype, bytes }: { dtype: string; bytes: Uint8Array }): boolean {
  if (dtype !== 'float32') return true
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const numbers = new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
  let top = 0
  for (const number of numbers) {
    const size = Math.abs(number)
    if (!(size <= largest)) return false
    if (size > top) top = size
  }
  return top === 0 || top >= least
}
