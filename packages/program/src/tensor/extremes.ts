/**
 * The position of the largest and the smallest element of a tensor: the property of its values that an if
 * may test.
 */
import type { TensorDtype } from '@stateeval/contracts'
import { readNumbers } from './dtypes.ts'
import { decodeBase64 } from './value.ts'

export const extremes = ['argmax', 'argmin'] as const
export type TensorExtreme = (typeof extremes)[number]
export const isExtreme = (name: unknown): name is TensorExtreme =>
  (extremes as readonly unknown[]).includes(name)

interface DescribedTensor {
  dtype: TensorDtype
  data?: string
  /** The identity of a tensor whose values are not available, which distinguishes it from others. */
  of?: string
  artifact?: string
  seed?: string
}

/**
 * The position of the extreme element, counted from 0 in row-major order (the first of equal ones), like
 * PyTorch's `argmax` and `argmin`. For a tensor without its values, a text that only tensors with the same
 * elements share.
 */
export function findExtreme(tensor: DescribedTensor, extreme: TensorExtreme): number | string {
  if (tensor.data === undefined)
    return `${extreme} of ${tensor.of ?? tensor.artifact ?? tensor.seed ?? 'another tensor'}`
  return findExtremeNumber(readNumbers(tensor.dtype, decodeBase64(tensor.data)), extreme).place
}

/**
 * The position of the extreme, and its lead over the next as a share of the largest magnitude; 0 if two are
 * equal.
 */
export function findExtremeNumber(
  numbers: ArrayLike<number>,
  extreme: TensorExtreme,
): { place: number; lead: number } {
  const sign = extreme === 'argmax' ? 1 : -1
  let [place, best, next, size] = [0, -Infinity, -Infinity, 0]
  for (let at = 0; at < numbers.length; at++) {
    const number = sign * (numbers[at] as number)
    size = Math.max(size, Math.abs(number))
    if (number > best) [place, best, next] = [at, number, best]
    else if (number > next) next = number
  }
  return { place, lead: size > 0 && numbers.length > 0 ? (best - next) / size : 0 }
}

/** Tells whether the value at `$tensor` is a tensor, which has attributes beyond its JSON. */
export function isDescribed(tensor: unknown): tensor is AttributedTensor {
  const { shape, dtype } = (tensor ?? {}) as { shape?: unknown; dtype?: unknown }
  return Array.isArray(shape) && typeof dtype === 'string'
}
type AttributedTensor = DescribedTensor & { shape: unknown }

/** An attribute of a tensor that a program may read, by name. */
export function readAttribute(tensor: AttributedTensor, name: string | number): unknown {
  if (name === 'shape') return tensor.shape
  if (name === 'dtype') return `torch.${tensor.dtype}`
  return isExtreme(name) ? findExtreme(tensor, name) : undefined
}

/** All attributes. */
export const readAttributes = (tensor: AttributedTensor): unknown => ({
  shape: tensor.shape,
  dtype: readAttribute(tensor, 'dtype'),
  get argmax() {
    return readAttribute(tensor, 'argmax')
  },
  get argmin() {
    return readAttribute(tensor, 'argmin')
  },
})
