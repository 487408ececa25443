/**
 * Large initial tensors. The seed and the position determine each element, so every user generates them, in
 * any language and any order, with exact arithmetic only. `python-surface.py` of tensor-operation has the
 * same code.
 */
import { sha256 } from '@stateeval/contracts'
import { countElements } from './value.ts'

/**
 * The seed of a weight begins with this. A weight is scaled so that its output is as large as its input.
 */
export const scaledSeed = 'weight'

/** The number of terms that a weight of this shape adds up for one element. */
export const countFanIn = (shape: readonly number[]) => countElements(shape.slice(1))

/** 32 well-mixed bits: the end of MurmurHash3. */
export function mixBits(word: number): number {
  let bits = word | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

const second = 0x9e3779b9

/**
 * The elements in row-major order: sums of four uniform 16-bit numbers, with mean 0, variance 1 and
 * magnitude at most 3.5; those of a weight are divided by the root of its fan-in.
 */
export function drawElements(seed: string, shape: readonly number[]): Float32Array {
  const digest = sha256(seed)
  const [first, other] = [0, 8].map((at) => Number.parseInt(digest.slice(at, at + 8), 16)) as [number, number]
  const scale = seed.startsWith(scaledSeed) ? 1 / Math.sqrt(Math.max(1, countFanIn(shape))) : 1
  const elements = new Float32Array(countElements(shape))
  for (let at = 0; at < elements.length; at++) {
    const a = mixBits(mixBits(at ^ first) ^ other)
    const b = mixBits(a ^ second)
    const sum = (a >>> 16) + (a & 0xffff) + (b >>> 16) + (b & 0xffff)
    elements[at] = ((sum + 2) / 0x10000 - 2) * Math.sqrt(3) * scale
  }
  return elements
}
