/** The elements of initial tensors, from seeds: about standard normal, by exact arithmetic only, so the same on any machine. */
import { createRng, float32Bytes, type StoredTensor } from '@stateeval/program'
import { count } from './reference/array.ts'
import { fanIn } from './state.ts'

/** The tensor of a seed. `scaled`: a weight, divided by the square root of its fan-in. */
export function drawTensor(seed: string, shape: readonly number[], scaled: boolean): StoredTensor {
  const rng = createRng(`tensor/${seed}`)
  const scale = scaled ? 1 / Math.sqrt(Math.max(1, fanIn(shape))) : 1
  const values = new Float64Array(count(shape))
  for (let at = 0; at < values.length; at++) values[at] = normal(rng.int(0, 0xffffffff), rng.int(0, 0xffffffff)) * scale
  return { dtype: 'float32', shape, bytes: float32Bytes(values) }
}

/** Four uniform numbers of 16 bits added up: mean 0, variance 1, at most 3.5 away. */
function normal(a: number, b: number): number {
  const sum = (a >>> 16) + (a & 0xffff) + (b >>> 16) + (b & 0xffff)
  return ((sum + 2) / 0x10000 - 2) * Math.sqrt(3)
}
