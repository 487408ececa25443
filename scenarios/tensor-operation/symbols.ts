/**
 * Names what movement makes of tensors whose elements are not available: equal for equal results, however
 * they came about.
 */
import { NameDigest } from './digest.ts'
import {
  type TensorFacts,
  readFacts,
  formatTensorName,
  type StateTensor,
  type TensorName,
  type TensorWorld,
} from './state.ts'

/**
 * A tensor by its name, with what is known of it; without a magnitude it is as large as what it is made of.
 */
export type SymbolicTensor = { of: TensorName } & Pick<TensorFacts, 'contiguous'> & Partial<TensorFacts>

export const isMoved = (order: readonly number[]) => order.some((dim, n) => dim !== n)

/**
 * A tensor with its dimensions in another order. Dimensions of size 1 move nothing, and orders of orders are
 * one.
 */
export function reorderSymbolic(
  world: TensorWorld,
  input: StateTensor,
  order: readonly number[],
): SymbolicTensor {
  const { view, contiguous } = readFacts(world, input)
  const base = view ?? { of: formatTensorName(input), shape: input.shape, dims: countUp(input.shape.length) }
  const dims = order.map((dim) => base.dims[dim] as number)
  let [moves, isBase, last] = [false, true, -1]
  const digest = new NameDigest('order').name(base.of)
  for (const dim of dims) {
    if (base.shape[dim] === 1) continue
    if (dim < last) moves = true
    last = dim
    digest.number(dim)
  }
  digest.number(-1)
  for (const [n, dim] of dims.entries()) {
    if (base.shape[dim] !== base.shape[n]) isBase = false
    digest.number(base.shape[dim] as number)
  }
  return {
    of: !moves && isBase ? base.of : digest.end(),
    contiguous: contiguous && !moves,
    view: { of: base.of, shape: base.shape, dims },
  }
}
const ranks: (readonly number[])[] = []
const countUp = (rank: number): readonly number[] =>
  (ranks[rank] ??= Array.from({ length: rank }, (_, dim) => dim))

/** A part of a tensor; all of it is the tensor itself. */
export function takePart(
  world: TensorWorld,
  input: StateTensor,
  dim: number,
  from: number,
  length: number,
): SymbolicTensor {
  const { contiguous } = readFacts(world, input)
  const of = formatTensorName(input)
  if (length === input.shape[dim]) return { of, contiguous }
  let isOuter = true
  for (let at = 0; at < dim; at++) if (input.shape[at] !== 1) isOuter = false
  return {
    of: new NameDigest('part').name(of).number(dim).number(from).number(length).end(),
    contiguous: isOuter && contiguous,
    slice: { of, shape: input.shape, dim, from, length },
  }
}

/** Tensors one after the other; the parts of one tensor in their order are a part of it again. */
export function joinSymbolic(
  world: TensorWorld,
  inputs: readonly StateTensor[],
  dim: number,
): SymbolicTensor {
  const [only] = inputs
  if (inputs.length === 1) return { of: formatTensorName(only as StateTensor), contiguous: true }
  const whole = findOrderedPart(world, inputs, dim)
  if (whole) return { ...whole, contiguous: true }
  const digest = new NameDigest('joined').number(dim)
  for (const input of inputs) digest.name(formatTensorName(input))
  return { of: digest.end(), contiguous: true }
}

/** The part that these are together, if they follow each other in one tensor. */
function findOrderedPart(
  world: TensorWorld,
  inputs: readonly StateTensor[],
  dim: number,
): SymbolicTensor | null {
  const [first] = inputs.map((input) => readFacts(world, input).slice)
  if (!first) return null
  let end = first.from
  for (const input of inputs) {
    const { slice } = readFacts(world, input)
    if (!slice || slice.dim !== dim || slice.of !== first.of || slice.from !== end) return null
    end += slice.length
  }
  const whole: StateTensor = { dtype: 'float32', shape: first.shape, of: first.of }
  return takePart(world, whole, dim, first.from, end - first.from)
}
