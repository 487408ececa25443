/**
 * The elements of initial tensors, from seeds: about standard normal, by exact arithmetic only, so the same
 * on any machine.
 */
import { createRng, countFanIn, type StoredTensor } from '@stateeval/program'
import { count } from './reference/array.ts'

/** The tensor of a seed. `scaled`: a weight, divided by the square root of its fan-in. */
export function drawTensor(seed: string, shape: readonly number[], scaled: boolean): StoredTensor {
  const rng = createRng(`tensor/${seed}`)
  const scale = scaled ? 1 / Math.sqrt(Math.max(1, countFanIn(shape))) : 1
  // Written to their place at once: many small arrays on the way keep the garbage collector busy.
  const bytes = new Uint8Array(4 * count(shape))
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length; at += 4)
    view.setFloat32(at, drawNormal(rng.int(0, 0xffffffff), rng.int(0, 0xffffffff)) * scale, true)
  return { dtype: 'float32', shape, bytes }
}

/** Four uniform numbers of 16 bits added up: mean 0, variance 1, at most 3.5 away. */
function drawNormal(a: number, b: number): number {
  const sum = (a >>> 16) + (a & 0xffff) + (b >>> 16) + (b & 0xffff)
  return ((sum + 2) / 0x10000 - 2) * Math.sqrt(3)
}
