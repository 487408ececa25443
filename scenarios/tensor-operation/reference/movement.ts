/** cat, split and permute on elements. */
import { count, type ElementArray, computeStrides } from './array.ts'

/** Elements before, along and after a dimension. */
const splitShape = (shape: readonly number[], dim: number) =>
  [count(shape.slice(0, dim)), shape[dim] as number, count(shape.slice(dim + 1))] as const

export function cat(inputs: readonly ElementArray[], dim: number, shape: readonly number[]): ElementArray {
  const values = new Float64Array(count(shape))
  const [outer] = splitShape(shape, dim)
  const rows = inputs.map(({ shape: sizes }) => count(sizes.slice(dim)))
  const row = rows.reduce((sum, one) => sum + one, 0)
  let from = 0
  inputs.forEach((input, n) => {
    const length = rows[n] as number
    for (let o = 0; o < outer; o++)
      values.set(input.values.subarray(o * length, (o + 1) * length), o * row + from)
    from += length
  })
  return { shape, values }
}

/** The part of a tensor along a dimension. */
export function slice(
  { shape, values }: ElementArray,
  dim: number,
  from: number,
  length: number,
): ElementArray {
  const [outer, size, inner] = splitShape(shape, dim)
  const part = new Float64Array(outer * length * inner)
  for (let o = 0; o < outer; o++)
    part.set(
      values.subarray((o * size + from) * inner, (o * size + from + length) * inner),
      o * length * inner,
    )
  return { shape: shape.with(dim, length), values: part }
}

export function permute({ shape, values }: ElementArray, order: readonly number[]): ElementArray {
  const strides = computeStrides(shape)
  const moved = order.map((dim) => shape[dim] as number)
  const steps = order.map((dim) => strides[dim] as number)
  const out = new Float64Array(values.length)
  const index = new Array<number>(order.length).fill(0)
  let from = 0
  for (let to = 0; to < out.length; to++) {
    out[to] = values[from] as number
    // The next place, counting up from the last dimension.
    for (let dim = order.length - 1; dim >= 0; dim--) {
      from += steps[dim] as number
      index[dim] = (index[dim] as number) + 1
      if ((index[dim] as number) < (moved[dim] as number)) break
      from -= (steps[dim] as number) * (moved[dim] as number)
      index[dim] = 0
    }
  }
  return { shape: moved, values: out }
}
