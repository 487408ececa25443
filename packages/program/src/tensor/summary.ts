/**
 * A summary of a large tensor's values, small enough to transfer. Two tensors within a tolerance have
 * summaries within a derived tolerance, and other tensors do not: docs/decisions/large-tensors.md derives
 * both. `python-surface.py` of tensor-operation has the same code.
 */
import { createHash } from 'node:crypto'
import type { TensorDtype, TensorSummary } from '@stateeval/contracts'
import { getElementBytes, getElementReader } from './dtypes.ts'
import { mixBits } from './drawn.ts'
import { encodeBase64 } from './value.ts'

/** The maximum number of blocks; the elements of a block share a sum and have one sample. */
export const maxBlocks = 1024
/** Number of signs in a word. */
const word = 32

/** The number of consecutive elements in a block. The last block may have fewer. */
export const chooseBlockSize = (count: number) => Math.max(word, Math.ceil(count / maxBlocks / word) * word)

/** The position of a block's sample, from the block's number and length. */
export const samplePlace = (block: number, length: number) => mixBits(block ^ 0x5a3b1c9d) % length

/** Signs of the elements from a place on that is a multiple of 32: bit n is of the nth. */
const computeSigns = (place: number) => mixBits((place / word) ^ 0x2545f491)

/** Summarizes row-major little-endian bytes. */
export function summarize(dtype: TensorDtype, bytes: Uint8Array): TensorSummary {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [read, each] = [getElementReader(dtype), getElementBytes(dtype)]
  const count = bytes.byteLength / each
  const size = chooseBlockSize(count)
  const blocks = Math.ceil(count / size)
  const [sums, samples] = [new Float64Array(blocks), new Float64Array(blocks)]
  const hash = createHash('sha256')
  const odd = { nan: 0, up: 0, down: 0, places: 0 }
  let [least, most] = [Infinity, -Infinity]
  for (let block = 0; block < blocks; block++) {
    const from = block * size
    const to = Math.min(count, from + size)
    let [sum, signs] = [0, 0]
    for (let at = from; at < to; at++) {
      const bit = at % word
      if (bit === 0) signs = computeSigns(at)
      const value = read(view, at * each)
      if (value - value === 0) {
        sum += (signs >>> bit) & 1 ? value : -value
        if (value < least) least = value
        if (value > most) most = value
      } else noteOddValue(odd, value, at)
    }
    sums[block] = sum
    samples[block] = read(view, (from + samplePlace(block, to - from)) * each)
    hash.update(copyPlainBytes(dtype, bytes.subarray(from * each, to * each)))
  }
  return {
    sha256: hash.digest('hex'),
    least: least > most ? 0 : least + 0,
    most: least > most ? 0 : most + 0,
    sums: encodeBase64(new Uint8Array(sums.buffer)),
    samples: encodeBase64(new Uint8Array(samples.buffer)),
    ...(odd.nan + odd.up + odd.down > 0 && { odd }),
  }
}

function noteOddValue(odd: NonNullable<TensorSummary['odd']>, value: number, at: number) {
  const kind = Number.isNaN(value) ? 'nan' : value > 0 ? 'up' : 'down'
  odd[kind]++
  odd.places =
    (odd.places + mixBits(at ^ { nan: 0x1b873593, up: 0x3c6ef372, down: 0x6d2b79f5 }[kind])) % 2 ** 32
}

/** The bits of a floating type that say how numbers are written: -0 becomes 0, and NaN one NaN. */
const floating: Partial<Record<TensorDtype, { sign: number; nan: number }>> = {
  float32: { sign: 0x80000000, nan: 0x7fc00000 },
  float16: { sign: 0x8000, nan: 0x7e00 },
  bfloat16: { sign: 0x8000, nan: 0x7fc0 },
}

/** A copy in which equal numbers have equal bytes. Those of exact types have. */
function copyPlainBytes(dtype: TensorDtype, bytes: Uint8Array): Uint8Array {
  if (dtype === 'float64') {
    const numbers = new Float64Array(new Uint8Array(bytes).buffer)
    const words = new BigUint64Array(numbers.buffer)
    numbers.forEach((number, at) => {
      if (number === 0) words[at] = 0n
      else if (number !== number) words[at] = 0x7ff8000000000000n
    })
    return new Uint8Array(numbers.buffer)
  }
  const bits = floating[dtype]
  if (!bits) return bytes
  const { buffer } = new Uint8Array(bytes)
  const words = dtype === 'float32' ? new Uint32Array(buffer) : new Uint16Array(buffer)
  // An infinity is where the exponent ends; what lies above it is NaN.
  const infinity = { float32: 0x7f800000, float16: 0x7c00, bfloat16: 0x7f80 }[dtype as 'float32']
  for (let at = 0; at < words.length; at++) {
    const one = words[at]!
    if (one === bits.sign) words[at] = 0
    else if ((one & (bits.sign - 1)) > infinity) words[at] = bits.nan
  }
  return new Uint8Array(buffer)
}
