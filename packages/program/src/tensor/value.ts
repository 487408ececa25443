/** `$tensor` values: their recognition, their faults, and their bytes. */
import {
  findSchemaFault,
  type TensorData,
  TensorDrawn,
  type TensorDtype,
  type TensorInArtifact,
  TensorSummarized,
  type TensorValue,
} from '@stateeval/contracts'
import { getElementBytes, isDtype, unitRoundoff, readNumbers } from './dtypes.ts'

/** The maximum number of elements of a tensor with its values; a scenario may set a lower one. */
export const maxElements = 2 ** 20
/** The maximum for tensors whose values are drawn on demand or summarized. */
export const maxLargeElements = 10 ** 8
const maxDims = 16

export const countElements = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1)

/**
 * Tells whether a value is intended as a tensor: an object whose only key is `$tensor`. It may still be
 * invalid.
 */
export const isTensorLike = (value: unknown): value is { $tensor: unknown } =>
  value !== null &&
  typeof value === 'object' &&
  !Array.isArray(value) &&
  Object.hasOwn(value, '$tensor') &&
  Object.keys(value).length === 1

export type TensorWithData = { $tensor: TensorData }
export type TensorOfArtifact = { $tensor: TensorInArtifact }
export const hasData = (value: unknown): value is TensorWithData =>
  findTensorFault(value) === null && 'data' in (value as TensorValue).$tensor
type TensorWithSummary = { $tensor: TensorSummarized }
export const hasSummary = (value: unknown): value is TensorWithSummary =>
  isTensorLike(value) && findTensorFault(value) === null && 'summary' in (value as TensorValue).$tensor
export const isTensor = (value: unknown): value is TensorValue => findTensorFault(value) === null

/**
 * The fault of a tensor, as the end of a sentence that begins with its field; null if there is none.
 * `elements` is the maximum; `finite` refuses NaN and infinities, which initial values must not contain.
 */
export function findTensorFault(
  value: unknown,
  { elements = maxElements, finite = false } = {},
): string | null {
  if (!isTensorLike(value)) return 'is not a tensor; give {"$tensor": {"dtype", "shape", "data"}}'
  const tensor = value.$tensor
  if (tensor === null || typeof tensor !== 'object' || Array.isArray(tensor))
    return 'has a $tensor that is not an object'
  if ('seed' in tensor) return findLargeTensorFault(TensorDrawn, tensor, elements)
  if ('summary' in tensor) return findLargeTensorFault(TensorSummarized, tensor, elements)
  const { dtype, shape, data, artifact, ...rest } = tensor as Record<string, unknown>
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined)
    return `has ${JSON.stringify(unknown)} in $tensor; available: dtype, shape, and data or artifact`
  if (!isDtype(dtype))
    return `has the dtype ${JSON.stringify(dtype)}, which is not supported; float32 is always`
  const wrong = findShapeFault(shape, elements)
  if (wrong !== null) return wrong
  if ((data === undefined) === (artifact === undefined)) return 'must have either data or artifact'
  if (artifact !== undefined)
    return typeof artifact === 'string' && /^[0-9a-f]{64}$/.test(artifact)
      ? null
      : 'has an artifact that is not a SHA-256 in 64 hexadecimal digits'
  return findDataFault(data, dtype, shape as number[], finite)
}

/** `elements` is a bound where it is a narrower one than that of carried values. */
function findLargeTensorFault(
  schema: typeof TensorDrawn | typeof TensorSummarized,
  tensor: object,
  elements: number,
) {
  const fault = findSchemaFault(schema, tensor)
  if (fault) return `has a $tensor that breaks its contract: ${fault.field} ${fault.says}`
  const { dtype, shape } = tensor as { dtype: TensorDtype; shape: number[] }
  if ('seed' in tensor && dtype !== 'float32')
    return `has a seed, which draws float32, and the dtype ${dtype}`
  return findShapeFault(shape, elements < maxElements ? elements : maxLargeElements)
}

export function findShapeFault(shape: unknown, elements = maxElements): string | null {
  if (
    !Array.isArray(shape) ||
    shape.length > maxDims ||
    !shape.every((size) => Number.isSafeInteger(size) && size >= 0)
  )
    return `has the shape ${JSON.stringify(shape)?.slice(0, 80)}; give a list of at most ${maxDims} sizes, each an integer from 0`
  const count = countElements(shape as number[])
  return count > elements
    ? `has ${count} elements (shape ${JSON.stringify(shape)}); at most ${elements} are allowed here`
    : null
}

function findDataFault(
  data: unknown,
  dtype: TensorDtype,
  shape: readonly number[],
  finite: boolean,
): string | null {
  if (typeof data !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(data) || data.length % 4 !== 0)
    return 'has data that is not valid base64'
  const expected = countElements(shape) * getElementBytes(dtype)
  const actual = (data.length / 4) * 3 - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0)
  if (actual !== expected)
    return `has ${actual} bytes of data; ${dtype} of shape ${JSON.stringify(shape)} takes ${expected}`
  return finite ? findNumberFaults(dtype, decodeBase64(data)) : null
}

/** NaN and infinities, which initial values must not contain. */
export function findNumberFaults(dtype: TensorDtype, bytes: Uint8Array): string | null {
  if (unitRoundoff[dtype] === 0) return null
  const bad = readNumbers(dtype, bytes).findIndex((number) => !Number.isFinite(number))
  return bad < 0 ? null : `has a value that is not a finite number, at position ${bad} of its data`
}

export const decodeBase64 = (text: string): Uint8Array => Buffer.from(text, 'base64')
export const encodeBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** A tensor with its values. */
export const createTensor = (
  dtype: TensorDtype,
  shape: readonly number[],
  bytes: Uint8Array,
): TensorWithData => ({
  $tensor: { dtype, shape: [...shape], data: encodeBase64(bytes) },
})

/** A description of a tensor without its values: `float32 tensor of shape [2, 3]`. */
export const describeTensor = ({ dtype, shape }: { dtype: string; shape: readonly number[] }) =>
  `${dtype} tensor of shape [${shape.join(', ')}]`
