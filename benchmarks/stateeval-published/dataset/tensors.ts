/**
 * Tensors of published cases, in both forms: nested lists, which are float32 once loaded, and base64 of raw
 * bytes.
 */
import { isRecord, type JsonValue, type TensorDtype } from '@stateeval/contracts'
import {
  encodeBase64,
  decodeBase64,
  getElementBytes,
  findNumberFaults,
  writeFloat32,
  maxElements,
  toArtifact,
  createTensor,
} from '@stateeval/program'
import { scenarios } from '../case.ts'
import { rejectPlace, LeftOut, type ReadingPlace, extendPlace } from './problem.ts'

/** Types by their names in NumPy, little endian. */
const dtypes: Readonly<Record<string, TensorDtype>> = {
  '<f4': 'float32',
  '<f8': 'float64',
  '<f2': 'float16',
  '<i8': 'int64',
  '<i4': 'int32',
  '<i2': 'int16',
  '|i1': 'int8',
  '|u1': 'uint8',
  '|b1': 'bool',
}
/** Smaller tensors stand in the case itself. */
const largestInline = 1024

/** Files of a set by their SHA-256. */
export type TensorFiles = Record<string, Uint8Array>

export const isEncoded = (value: unknown): boolean => isRecord(value) && value['__tensor__'] === true

/** The tensor as `$tensor`; a large one as a file that is added to `files`. */
export function readTensor(value: unknown, place: ReadingPlace, files: TensorFiles): JsonValue {
  const { dtype, shape, bytes } = isEncoded(value)
    ? decodeTensor(value as Record<string, unknown>, place)
    : readListedTensor(value, place)
  const wrong = findNumberFaults(dtype, bytes)
  if (wrong !== null) throw new LeftOut(place, 'not a finite number', wrong, scenarios.tensor)
  if (bytes.byteLength <= largestInline) return createTensor(dtype, shape, bytes)
  const { value: named, sha256, file } = toArtifact({ dtype, shape, bytes })
  files[sha256] = file
  return named
}

interface RawTensor {
  dtype: TensorDtype
  shape: number[]
  bytes: Uint8Array
}

function decodeTensor(
  { shape, dtype: name, data_b64: data }: Record<string, unknown>,
  place: ReadingPlace,
): RawTensor {
  const dtype = typeof name === 'string' && Object.hasOwn(dtypes, name) ? dtypes[name]! : undefined
  if (!dtype)
    return rejectPlace(
      extendPlace(place, 'dtype'),
      `is ${JSON.stringify(name)}; supported are ${Object.keys(dtypes).join(', ')}`,
    )
  if (!Array.isArray(shape) || !shape.every((size) => Number.isSafeInteger(size) && size >= 0))
    return rejectPlace(extendPlace(place, 'shape'), 'must be a list of sizes')
  checkTensorFit(shape as number[], place)
  if (typeof data !== 'string') return rejectPlace(extendPlace(place, 'data_b64'), 'must be a text in base64')
  const bytes = decodeBase64(data)
  if (encodeBase64(bytes) !== data) return rejectPlace(extendPlace(place, 'data_b64'), 'is not valid base64')
  const expected = (shape as number[]).reduce((product, size) => product * size, 1) * getElementBytes(dtype)
  return bytes.byteLength === expected
    ? { dtype, shape: shape as number[], bytes }
    : rejectPlace(
        extendPlace(place, 'data_b64'),
        `has ${bytes.byteLength} bytes; ${name as string} of shape ${JSON.stringify(shape)} takes ${expected}`,
      )
}

function readListedTensor(value: unknown, place: ReadingPlace): RawTensor {
  const shape: number[] = []
  for (let now: unknown = value; Array.isArray(now); now = now[0]) {
    shape.push(now.length)
    if (shape.length > 16) return rejectPlace(place, 'is nested more than 16 lists deep')
  }
  checkTensorFit(shape, place)
  const numbers: number[] = []
  const walk = (now: unknown, depth: number, at: ReadingPlace): void => {
    if (depth === shape.length) {
      if (typeof now !== 'number')
        return rejectPlace(at, `is ${JSON.stringify(now)?.slice(0, 40)}; a tensor contains numbers`)
      numbers.push(now)
      return
    }
    if (!Array.isArray(now) || now.length !== shape[depth])
      return rejectPlace(at, `must be a list of ${shape[depth]}, as the others of its tensor are`)
    for (const [n, item] of now.entries()) walk(item, depth + 1, depth < 3 ? extendPlace(at, n) : at)
  }
  walk(value, 0, place)
  return { dtype: 'float32', shape, bytes: writeFloat32(numbers) }
}

function checkTensorFit(shape: readonly number[], place: ReadingPlace) {
  const elements = shape.reduce((product, size) => product * size, 1)
  if (elements > maxElements)
    throw new LeftOut(
      place,
      'tensor too large',
      `has ${elements} elements; a tensor may have ${maxElements} here, so the case is left out`,
      scenarios.tensor,
    )
}
