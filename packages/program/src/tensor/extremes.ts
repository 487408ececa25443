/** Where the largest and the smallest element of a tensor stand: what an if may ask of its values. */
import type { TensorDtype } from '@stateeval/contracts'
import { numbersOf } from './dtypes.ts'
import { bytesOfBase64 } from './value.ts'

export const extremes = ['argmax', 'argmin'] as const
export type Extreme = (typeof extremes)[number]
export const isExtreme = (name: unknown): name is Extreme => (extremes as readonly unknown[]).includes(name)

interface Described {
  dtype: TensorDtype
  data?: string
  /** What tells a tensor whose values are not at hand from others. */
  of?: string
  artifact?: string
  seed?: string
}

/**
 * The place of the extreme element, counted from 0 with all elements in a row (the first of equal ones), as
 * PyTorch's `argmax` and `argmin` give it. Of a tensor whose values are not at hand, a text that only tensors
 * with the same elements share.
 */
export function extremeOf(tensor: Described, extreme: Extreme): number | string {
  if (tensor.data === undefined)
    return `${extreme} of ${tensor.of ?? tensor.artifact ?? tensor.seed ?? 'another tensor'}`
  return extremeAmong(numbersOf(tensor.dtype, bytesOfBase64(tensor.data)), extreme).place
}

/**
 * The place of the extreme, and by how much it leads the next as a share of the largest magnitude; 0 where
 * two are equal.
 */
export function extremeAmong(numbers: ArrayLike<number>, extreme: Extreme): { place: number; lead: number } {
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

/** What a program may look at of a tensor: where `$tensor` stands in a path. What is no tensor stays. */
export function attributesOf(tensor: unknown): unknown {
  const described = (tensor ?? {}) as Described & { shape?: unknown }
  const { shape, dtype } = described
  if (!Array.isArray(shape) || typeof dtype !== 'string') return tensor
  return {
    shape,
    dtype: `torch.${dtype}`,
    get argmax() {
      return extremeOf(described, 'argmax')
    },
    get argmin() {
      return extremeOf(described, 'argmin')
    },
  }
}
