/**
 * Compares tensors by dtype, shape and elements. Rounding determines the tolerance of elements: sums in
 * another order differ by up to twice n·u times the sum of the terms' sizes, where n is the number of added
 * terms and u the unit roundoff of the dtype (docs/decisions/tensor-tolerance.md). Elements that are only
 * moved must be equal, bit for bit.
 */
import type { TensorData, TensorDtype, TensorSummarized } from '@stateeval/contracts'
import {
  decodeBase64,
  hasData,
  hasSummary,
  isTensorLike,
  readNumbers,
  unitRoundoff,
} from '@stateeval/program'
import { compareSummaries } from './summaries.ts'

/**
 * Factor by which the bound of a plain sum is widened: other algorithms (blocks, Winograd) add a few
 * roundings.
 */
const margin = 16
/** Kernels and matrices are never so small that their sums would be exact: fewer terms count as so many. */
const leastTerms = 64

/** The tolerance of elements, as a share of the largest expected one. */
export function getTolerance(dtype: TensorDtype, reduction: number): number {
  const unit = unitRoundoff[dtype]
  if (reduction === 0 || unit === 0) return 0
  // Half precision is summed up in single precision and rounded at the end of each call.
  return dtype === 'float16' || dtype === 'bfloat16'
    ? margin * unit
    : margin * unit * Math.max(reduction, leastTerms)
}

type KnownTensor = TensorData | TensorSummarized

/** Tells whether a value is a tensor with its elements or a summary. */
export const isTensorValue = (value: unknown): value is { $tensor: KnownTensor } =>
  isTensorLike(value) && (hasData(value) || hasSummary(value))

const isSameForm = (e: KnownTensor, f: KnownTensor) =>
  e.dtype === f.dtype && formatShapeSizes(e.shape) === formatShapeSizes(f.shape)
const findSummaryDifference = (e: TensorSummarized, f: TensorSummarized, reduction: number) =>
  compareSummaries(e, f, (dtype) => getTolerance(dtype, reduction))

interface TensorPair {
  expected: Float64Array
  actual: Float64Array
  /** How far elements may be apart. */
  room: number
  /** The places of elements that are too far apart. */
  apart: number[]
}

/** Both tensors' elements beside each other; null where dtype or shape differ. */
function layTensors(e: TensorData, f: TensorData, reduction: number): TensorPair | null {
  if (
    e.dtype !== f.dtype ||
    e.shape.length !== f.shape.length ||
    e.shape.some((size, dim) => size !== f.shape[dim])
  )
    return null
  const [bytes, others] = [decodeBase64(e.data), decodeBase64(f.data)]
  const [expected, actual] = [readNumbers(e.dtype, bytes), readNumbers(f.dtype, others)]
  // Numbers hold no more than 53 bits: what is exact is asked of the bytes.
  if (unitRoundoff[e.dtype] === 0 && e.data === f.data) return { expected, actual, room: 0, apart: [] }
  const largest = expected.reduce(
    (largest, value) => (Number.isFinite(value) ? Math.max(largest, Math.abs(value)) : largest),
    0,
  )
  const room = getTolerance(e.dtype, reduction) * largest
  const apart: number[] = []
  const wide =
    e.dtype === 'int64' ? [bytes, others].map((all) => new BigInt64Array(new Uint8Array(all).buffer)) : null
  expected.forEach((value, at) => {
    const same = wide ? wide[0]?.[at] === wide[1]?.[at] : isNearElement(value, actual[at] as number, room)
    if (!same) apart.push(at)
  })
  return { expected, actual, room, apart }
}

/** NaN is NaN, an infinity the same infinity. */
const isNearElement = (e: number, f: number, room: number) =>
  e === f || (Number.isNaN(e) && Number.isNaN(f)) || Math.abs(e - f) <= room

/** Tells whether the found value is the expected tensor. A number is not a tensor of one element. */
export function isSameTensor(
  expected: { $tensor: KnownTensor },
  actual: unknown,
  reduction: number,
): boolean {
  if (!isTensorValue(actual)) return false
  const [e, f] = [expected.$tensor, actual.$tensor]
  if ('summary' in e)
    return 'summary' in f && isSameForm(e, f) && findSummaryDifference(e, f, reduction) === null
  return !('summary' in f) && layTensors(e, f, reduction)?.apart.length === 0
}

/** How two tensors differ, in words; null if they do not. */
export function describeTensorDifference(
  e: KnownTensor,
  f: KnownTensor,
  says: string,
  reduction: number,
): string | null {
  if (e.dtype !== f.dtype) return `${says} has the dtype ${f.dtype}, expected ${e.dtype}`
  if (!isSameForm(e, f))
    return `${says} has the shape ${formatShapeSizes(f.shape)}, expected ${formatShapeSizes(e.shape)}`
  if ('summary' in e)
    return 'summary' in f
      ? describeSummaryDifference(e, f, says, reduction)
      : `${says} has its elements in place of a summary, as large tensors have`
  if ('summary' in f) return `${says} has a summary in place of its elements`
  const comparison = layTensors(e, f, reduction)
  if (!comparison) return null
  const { expected, actual, room, apart } = comparison
  const [first] = apart
  if (first === undefined) return null
  const far = (at: number) => Math.abs((expected[at] as number) - (actual[at] as number))
  const worst = apart.reduce(
    (farthest, at) => (far(at) > far(farthest) || Number.isNaN(far(farthest)) ? at : farthest),
    first,
  )
  const one = `${says} differs at ${locateIndex(first, e.shape)}: it is ${formatComputed(actual[first], room)}, expected ${roundShown(expected[first])}`
  if (apart.length === 1) return one
  const [ours, theirs] = [expected.toSorted(), actual.toSorted()]
  const order = ours.every((value, at) => isNearElement(value, theirs[at] as number, room))
  const where = room > 0 ? '' : ` (at ${locateIndex(worst, e.shape)})`
  const span = Number.isFinite(far(worst)) ? `, by ${formatComputed(far(worst), room)} at most${where}` : ''
  return `${one}; ${apart.length} of ${expected.length} elements differ${span}${order ? '; the elements are the expected ones in another order' : ''}`
}

function describeSummaryDifference(
  e: TensorSummarized,
  f: TensorSummarized,
  says: string,
  reduction: number,
): string | null {
  const apart = findSummaryDifference(e, f, reduction)
  if (apart === null) return null
  const { blocks, total, sample, says: other } = apart
  const parts = [
    ...(sample
      ? [
          `at ${locateIndex(sample.place, e.shape)} it is ${formatComputed(sample.actual, getTolerance(e.dtype, reduction))}, expected ${roundShown(sample.expected)}`,
        ]
      : []),
    ...(other === undefined ? [] : [other]),
    ...(blocks > 0 ? [`elements differ in ${blocks} of ${total} blocks`] : []),
  ]
  return parts.length > 0 ? `${says} differs: ${parts.join('; ')}` : `${says} differs in some bits`
}

/** Elements that are shown of each of two tensors. */
const shownBeside = 8

/**
 * Two tensors side by side: their dtype and shape, and the first differing elements by position; for equal
 * tensors the first elements.
 */
export function showTensorsBeside(e: KnownTensor, f: KnownTensor, reduction: number): [unknown, unknown] {
  const laid = 'summary' in e || 'summary' in f ? null : layTensors(e, f, reduction)
  if (!laid) return [showTensor(e, shownBeside, false), showTensor(f, shownBeside, false)]
  const { expected, actual, apart } = laid
  const places = apart.length > 0 ? apart : [...expected.keys()]
  const shown = (values: Float64Array) => ({
    tensor: `${e.dtype} of shape ${formatShapeSizes(e.shape)}`,
    ...(apart.length > 0 && { differing: `${apart.length} of ${expected.length} elements` }),
    elements: Object.fromEntries(
      places.slice(0, shownBeside).map((at) => [locateIndex(at, e.shape), roundShown(values[at])]),
    ),
  })
  return [shown(expected), shown(actual)]
}

/**
 * Formats a value so that other processors show it alike, too: their last digits differ, and a report must
 * not. Gives two digits where values were rounded on the way.
 */
const formatComputed = (value: number | undefined, room: number) =>
  room === 0 || !Number.isFinite(value) ? roundShown(value) : `about ${Number((value ?? 0).toPrecision(2))}`

const formatShapeSizes = (shape: readonly number[]) => `[${shape.join(', ')}]`
const roundShown = (value: number | undefined) => String(Number((value ?? 0).toPrecision(6)))

/** The index of a row-major place: [1, 0, 2]. */
function locateIndex(at: number, shape: readonly number[]): string {
  let remainder = at
  const index = shape.toReversed().map((size) => {
    const here = remainder % size
    remainder = Math.floor(remainder / size)
    return here
  })
  return formatShapeSizes(index.toReversed())
}

/**
 * A tensor for readers: its dtype and shape, and its first elements. A tensor just computed is shown with
 * few digits, so that every processor shows the same.
 */
export function showTensor(tensor: KnownTensor, elements: number, isComputed: boolean): string {
  const { dtype, shape } = tensor
  const room = isComputed ? unitRoundoff[dtype] : 0
  const count = shape.reduce((product, size) => product * size, 1)
  if ('summary' in tensor) {
    const { least, most } = tensor.summary
    const [from, to] = [least, most].map((end) => formatComputed(end, room).replace('about ', ''))
    return `${dtype} tensor of shape ${formatShapeSizes(shape)} (elements from ${from} to ${to})`
  }
  const { data } = tensor
  const numbers = readNumbers(dtype, decodeBase64(data.slice(0, Math.ceil((elements * 8) / 3) * 4))).slice(
    0,
    Math.min(elements, count),
  )
  return `${dtype} tensor of shape ${formatShapeSizes(shape)} (${[...numbers].map((one) => formatComputed(one, room).replace('about ', '')).join(', ')}${count > elements ? ', …' : ''})`
}
