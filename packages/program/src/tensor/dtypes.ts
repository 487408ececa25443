/** Element types: their sizes, and their bytes as numbers. */
import { type TensorDtype, tensorDtypes } from '@stateeval/contracts'

export const isDtype = (name: unknown): name is TensorDtype =>
  (tensorDtypes as readonly unknown[]).includes(name)

const sizes: Readonly<Record<TensorDtype, number>> = {
  float64: 8,
  float32: 4,
  float16: 2,
  bfloat16: 2,
  int64: 8,
  int32: 4,
  int16: 2,
  int8: 1,
  uint8: 1,
  bool: 1,
}
export const getElementBytes = (dtype: TensorDtype) => sizes[dtype]

/** The unit roundoff of floating types: the largest relative error of one rounding; 0 for exact types. */
export const unitRoundoff: Readonly<Record<TensorDtype, number>> = {
  float64: 2 ** -53,
  float32: 2 ** -24,
  float16: 2 ** -11,
  bfloat16: 2 ** -8,
  int64: 0,
  int32: 0,
  int16: 0,
  int8: 0,
  uint8: 0,
  bool: 0,
}

/** Reads one element from little-endian bytes. */
export const getElementReader = (dtype: TensorDtype) => readers[dtype]

/**
 * The elements as numbers. Those of int64 beyond 2^53 lose digits, so equality of such tensors is decided
 * by their bytes.
 */
export function readNumbers(dtype: TensorDtype, bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = sizes[dtype]
  const read = readers[dtype]
  const numbers = new Float64Array(Math.floor(bytes.byteLength / size))
  for (let index = 0; index < numbers.length; index++) numbers[index] = read(view, index * size)
  return numbers
}

const readers: Readonly<Record<TensorDtype, (view: DataView, at: number) => number>> = {
  float64: (view, at) => view.getFloat64(at, true),
  float32: (view, at) => view.getFloat32(at, true),
  float16: (view, at) => readHalf(view.getUint16(at, true)),
  // A bfloat16 is the upper half of a float32.
  bfloat16: (view, at) => toFloat32(view.getUint16(at, true) << 16),
  int64: (view, at) => Number(view.getBigInt64(at, true)),
  int32: (view, at) => view.getInt32(at, true),
  int16: (view, at) => view.getInt16(at, true),
  int8: (view, at) => view.getInt8(at),
  uint8: (view, at) => view.getUint8(at),
  bool: (view, at) => (view.getUint8(at) === 0 ? 0 : 1),
}

const scratch = new DataView(new ArrayBuffer(4))
function toFloat32(bits: number): number {
  scratch.setInt32(0, bits)
  return scratch.getFloat32(0)
}
function readHalf(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023]
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
}

/** The bytes of a float32 tensor, little-endian on every machine. */
export function writeFloat32(values: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(values.length * 4)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < values.length; index++)
    view.setFloat32(index * 4, values[index] as number, true)
  return bytes
}
