/**
 * Tensors of published cases, in both forms: nested lists, which are float32 once loaded, and base64 of raw
 * bytes.
 */
import { isRecord, type JsonValue, type TensorDtype } from '@stateeval/contracts'
import {
  base64,
  bytesOfBase64,
  bytesPerElement,
  faultOfNumbers,
  float32Bytes,
  maxElements,
  toArtifact,
  tensorOf,
} from '@stateeval/program'
import { scenarios } from '../case.ts'
import { bad, LeftOut, type Place, within } from './problem.ts'

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
export type Files = Record<string, Uint8Array>

export const isEncoded = (value: unknown): boolean => isRecord(value) && value['__tensor__'] === true

/** The tensor as `$tensor`; a large one as a file that is added to `files`. */
export function tensorAt(value: unknown, place: Place, files: Files): JsonValue {
  const { dtype, shape, bytes } = isEncoded(value)
    ? decoded(value as Record<string, unknown>, place)
    : listed(value, place)
  const wrong = faultOfNumbers(dtype, bytes)
  if (wrong !== null) throw new LeftOut(place, 'not a finite number', wrong, scenarios.tensor)
  if (bytes.byteLength <= largestInline) return tensorOf(dtype, shape, bytes)
  const { value: named, sha256, file } = toArtifact({ dtype, shape, bytes })
  files[sha256] = file
  return named
}

interface Raw {
  dtype: TensorDtype
  shape: number[]
  bytes: Uint8Array
}

function decoded({ shape, dtype: name, data_b64: data }: Record<string, unknown>, place: Place): Raw {
  const dtype = typeof name === 'string' && Object.hasOwn(dtypes, name) ? dtypes[name]! : undefined
  if (!dtype)
    return bad(
      within(place, 'dtype'),
      `is ${JSON.stringify(name)}; supported are ${Object.keys(dtypes).join(', ')}`,
    )
  if (!Array.isArray(shape) || !shape.every((size) => Number.isSafeInteger(size) && size >= 0))
    return bad(within(place, 'shape'), 'must be a list of sizes')
  mustFit(shape as number[], place)
  if (typeof data !== 'string') return bad(within(place, 'data_b64'), 'must be a text in base64')
  const bytes = bytesOfBase64(data)
  if (base64(bytes) !== data) return bad(within(place, 'data_b64'), 'is not valid base64')
  const expected = (shape as number[]).reduce((product, size) => product * size, 1) * bytesPerElement(dtype)
  return bytes.byteLength === expected
    ? { dtype, shape: shape as number[], bytes }
    : bad(
        within(place, 'data_b64'),
        `has ${bytes.byteLength} bytes; ${name as string} of shape ${JSON.stringify(shape)} takes ${expected}`,
      )
}

function listed(value: unknown, place: Place): Raw {
  const shape: number[] = []
  for (let now: unknown = value; Array.isArray(now); now = now[0]) {
    shape.push(now.length)
    if (shape.length > 16) return bad(place, 'is nested more than 16 lists deep')
  }
  mustFit(shape, place)
  const numbers: number[] = []
  const walk = (now: unknown, depth: number, at: Place): void => {
    if (depth === shape.length) {
      if (typeof now !== 'number')
        return bad(at, `is ${JSON.stringify(now)?.slice(0, 40)}; a tensor contains numbers`)
      numbers.push(now)
      return
    }
    if (!Array.isArray(now) || now.length !== shape[depth])
      return bad(at, `must be a list of ${shape[depth]}, as the others of its tensor are`)
    for (const [n, item] of now.entries()) walk(item, depth + 1, depth < 3 ? within(at, n) : at)
  }
  walk(value, 0, place)
  return { dtype: 'float32', shape, bytes: float32Bytes(numbers) }
}

function mustFit(shape: readonly number[], place: Place) {
  const elements = shape.reduce((product, size) => product * size, 1)
  if (elements > maxElements)
    throw new LeftOut(
      place,
      'tensor too large',
      `has ${elements} elements; a tensor may have ${maxElements} here, so the case is left out`,
      scenarios.tensor,
    )
}
