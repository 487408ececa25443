/**
 * A tensor with its elements, for the reference evaluation: plain loops over row-major elements, written from
 * PyTorch's documented formulas, to hold other runtimes against. Sums are made in double precision and
 * rounded once.
 */
import { bytesOfBase64, numbersOf, tensorOf, float32Bytes, type TensorWithData } from '@stateeval/program'
import type { TensorDtype } from '@stateeval/contracts'
import type { StateTensor } from '../state.ts'

export interface ElementArray {
  shape: readonly number[]
  values: Float64Array | Float32Array
}

export const load = ({ dtype, shape, data }: StateTensor): ElementArray => ({
  shape,
  values: numbersOf(dtype as TensorDtype, bytesOfBase64(data ?? '')),
})
export const store = ({ shape, values }: ElementArray): TensorWithData =>
  tensorOf('float32', shape, float32Bytes(values))

export const count = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1)
/** How far apart neighbours along each dimension are. */
export function computeStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length).fill(1)
  for (let dim = shape.length - 2; dim >= 0; dim--)
    strides[dim] = (strides[dim + 1] as number) * (shape[dim + 1] as number)
  return strides
}
