/** Tensors: RESULT as the released evaluator compares it, and as `sound` does. */
import { isRecord, type JsonValue, type TensorDtype } from '@stateeval/contracts'
import { decodeBase64, isTensorLike, readNumbers } from '@stateeval/program'
import type { ReportedValue } from '../run/report.ts'
import { type ValueComparison, createComparison, createDifference, createRaise, same } from './judgement.ts'
import { isTensor, findNumber, describeDifference, describeValue, toTruthValue } from './value.ts'

interface TensorElements {
  dtype: string
  shape: number[]
  values: ArrayLike<number>
}

/** Reads the elements of `$tensor` with its data; null where it is none. */
export function readTensorElements(json: JsonValue): TensorElements | null {
  if (!isTensorLike(json) || !isRecord(json.$tensor)) return null
  const { dtype, shape, data } = json.$tensor
  if (typeof dtype !== 'string' || typeof data !== 'string' || !Array.isArray(shape)) return null
  return { dtype, shape: shape as number[], values: readNumbers(dtype as TensorDtype, decodeBase64(data)) }
}

const within = 0.01
/** Sums of a million elements differ by more than `within` between machines: float32 has seven digits. */
const share = 1e-4

const hasSameShape = (a: TensorElements, b: TensorElements) => a.shape.join() === b.shape.join()
/**
 * Tells whether two numbers are equal, or at most `bound` apart; infinity is close to itself only, as in
 * torch.
 */
const isWithin = (a: number, b: number, bound: number) =>
  Object.is(a, b) || a === b || (Number.isFinite(a - b) && Math.abs(a - b) <= bound)
const close = (a: number, b: number) => isWithin(a, b, within + within * Math.abs(b))
const isAllClose = (a: TensorElements, b: TensorElements, nan: boolean) => {
  for (let at = 0; at < b.values.length; at++) {
    const [one, two] = [a.values[at]!, b.values[at]!]
    if (
      Number.isNaN(one) || Number.isNaN(two)
        ? !(nan && Number.isNaN(one) && Number.isNaN(two))
        : !close(one, two)
    )
      return false
  }
  return true
}

const createMissingResult = (truth: JsonValue): ValueComparison =>
  createDifference(`RESULT is missing; expected: ${describeValue(toTruthValue(truth))}`)
const createUnlike = (result: ReportedValue, truth: JsonValue): ValueComparison =>
  createDifference(`RESULT is ${describeDifference(result, toTruthValue(truth))}`)

/**
 * The released rule. A number takes a number, or a tensor of one element whatever its shape, that is at most
 * 0.01 away, and NaN, which is never further. A tensor takes one of the same shape by `allclose`, which
 * raises for another dtype.
 */
export function compareTensorPublished(truth: JsonValue, result: ReportedValue | undefined): ValueComparison {
  if (result === undefined) return truth === null ? same : createMissingResult(truth)
  const expected = readTensorElements(truth)
  const actual = isTensor(result) ? readTensorElements(result.tensor) : null
  if (!expected) {
    const [number, expectedNumber] = [
      actual?.values.length === 1 ? actual.values[0]! : findNumber(result),
      findNumber(toTruthValue(truth)),
    ]
    if (number === null || expectedNumber === null) return createUnlike(result, truth)
    return Math.abs(number - expectedNumber) > within
      ? createDifference(`RESULT is ${number}; expected: ${expectedNumber}, ±${within}`)
      : same
  }
  if (!actual || !hasSameShape(actual, expected)) return createUnlike(result, truth)
  if (actual.dtype !== expected.dtype)
    return createRaise('comparison', `RuntimeError: allclose of ${actual.dtype} with ${expected.dtype}`)
  return createComparison(isAllClose(actual, expected, false), () => describeFarthest(actual, expected))
}

/**
 * NaN equals NaN only, sums are compared by their size, and another dtype is another RESULT. A truth lost the
 * shape of tensors of one element; where every RESULT of the program is a sum (`isSum`), it had no
 * dimensions.
 */
export function compareTensorSound(
  truth: JsonValue,
  result: ReportedValue | undefined,
  isSum: boolean,
): ValueComparison {
  if (result === undefined) return truth === null ? same : createMissingResult(truth)
  const expected = readTensorElements(truth)
  const actual = isTensor(result) ? readTensorElements(result.tensor) : null
  if (!expected) {
    const expectedNumber = findNumber(toTruthValue(truth))
    if (
      expectedNumber === null ||
      typeof result === 'boolean' ||
      (isTensor(result) && actual?.values.length !== 1)
    )
      return createUnlike(result, truth)
    if (actual && isSum && actual.shape.length > 0)
      return createDifference(
        `RESULT is a tensor of shape ${JSON.stringify(actual.shape)}; a sum has no dimensions`,
      )
    const number = actual ? actual.values[0]! : findNumber(result)
    if (number === null) return createUnlike(result, truth)
    const bound = Math.max(within, share * Math.abs(expectedNumber))
    return createComparison(
      isWithin(number, expectedNumber, bound),
      () => `RESULT is ${number}; expected: ${expectedNumber}, ±${bound}`,
    )
  }
  if (!actual || !hasSameShape(actual, expected) || actual.dtype !== expected.dtype)
    return createUnlike(result, truth)
  return createComparison(isAllClose(actual, expected, true), () => describeFarthest(actual, expected))
}

function describeFarthest(actual: TensorElements, expected: TensorElements): string {
  let [worst, at] = [-1, 0]
  for (let n = 0; n < expected.values.length; n++) {
    const apart = Math.abs(actual.values[n]! - expected.values[n]!)
    if (Number.isNaN(apart) || apart > worst) [worst, at] = [Number.isNaN(apart) ? Infinity : apart, n]
  }
  return `RESULT has ${actual.values[at]} at position ${at} of ${expected.values.length}; expected: ${expected.values[at]}`
}
