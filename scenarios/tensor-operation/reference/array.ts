/**
 * A tensor with its elements, for the reference evaluation: plain loops over row-major elements, written from
 * PyTorch's documented formulas, to hold other runtimes against. Sums are made in double precision and
 * rounded once.
 */
import {
  decodeBase64,
  readNumbers,
  createTensor,
  writeFloat32,
  type TensorWithData,
} from '@stateeval/program'
import type { TensorDtype } from '@stateeval/contracts'
import type { StateTensor } from '../state.ts'

export interface ElementArray {
  shape: readonly number[]
  values: Float64Array | Float32Array
}

export const load = ({ dtype, shape, data }: StateTensor): ElementArray => ({
  shape,
  values: readNumbers(dtype as TensorDtype, decodeBase64(data ?? '')),
})
export const store = ({ shape, values }: ElementArray): TensorWithData =>
  createTensor('float32', shape, writeFloat32(values))

export const count = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1)
/** How far apart neighbours along each dimension are. */
export function computeStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length).fill(1)
  for (let dim = shape.length - 2; dim >= 0; dim--)
    strides[dim] = (strides[dim + 1] as number) * (shape[dim + 1] as number)
  return strides
}
