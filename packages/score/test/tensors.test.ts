/** Tensors compared by dtype, shape and elements, and how a difference is told. */
import { describe, expect, test } from '@jest/globals'
import type { TensorDtype } from '@stateeval/contracts'
import { type ComparisonRules, writeFloat32, createTensor } from '@stateeval/program'
import { compare, getTolerance } from '../src/index.ts'

const world = { state: {}, ids: { initial: [], created: [] }, gone: [] }
const comparison: ComparisonRules = { relativeTolerance: 1e-6, unordered: [], reduction: 100 }
const tensor = (shape: number[], values: number[]) => createTensor('float32', shape, writeFloat32(values))
const of = (dtype: TensorDtype, shape: number[], hex: string) =>
  createTensor(dtype, shape, Buffer.from(hex, 'hex'))
const differences = (expected: unknown, actual: unknown, reduction = 100) => {
  const compared = compare(
    { result: { t: expected }, world },
    { result: { t: actual }, world },
    { ...comparison, reduction },
  )
  return compared.equal ? [] : compared.differences.map(({ says }) => says)
}
const a = tensor([2, 2], [1, -2, 3, 4])

test('the same tensor is equal; NaN is NaN, an infinity the same infinity', () => {
  expect(differences(a, structuredClone(a))).toEqual([])
  const odd = tensor([3], [Number.NaN, Infinity, -Infinity])
  expect(differences(odd, structuredClone(odd))).toEqual([])
  expect(differences(odd, tensor([3], [Number.NaN, Infinity, Infinity]))).toEqual([
    'RESULT.t differs at [2]: it is Infinity, expected -Infinity',
  ])
  expect(differences(tensor([1], [Number.NaN]), tensor([1], [0]))).toEqual([
    'RESULT.t differs at [0]: it is 0, expected NaN',
  ])
  expect(differences(tensor([1], [0]), tensor([1], [-0]))).toEqual([])
})

test('differences name the first place, both elements and the largest deviation, never base64', () => {
  const all = [
    ...differences(a, tensor([2, 2], [1, -2, 3.5, 6])),
    ...differences(a, tensor([2, 2], [1, 3, -2, 4])),
    ...differences(a, tensor([4], [1, -2, 3, 4])),
    ...differences(a, of('float64', [2, 2], '00'.repeat(32))),
    ...differences(a, [
      [1, -2],
      [3, 4],
    ]),
    ...differences(tensor([], [2]), 2),
    ...differences([a, a], [a]),
  ]
  expect(all).toEqual([
    'RESULT.t differs at [1, 0]: it is about 3.5, expected 3; 2 of 4 elements differ, by about 2 at most',
    'RESULT.t differs at [0, 1]: it is about 3, expected -2; 2 of 4 elements differ, by about 5 at most; the elements are the expected ones in another order',
    'RESULT.t has the shape [4], expected [2, 2]',
    'RESULT.t has the dtype float64, expected float32',
    'RESULT.t is [[1, -2], [3, 4]], expected float32 tensor of shape [2, 2] (1, -2, 3, 4)',
    'RESULT.t is 2, expected float32 tensor of shape [] (2)',
    'RESULT.t has 1 element, expected 2',
  ])
})

describe('tolerances', () => {
  test('follow from the dtype and the number of terms', () => {
    expect(getTolerance('float32', 0)).toBe(0)
    expect(getTolerance('float32', 1)).toBe(getTolerance('float32', 64))
    expect(getTolerance('float32', 640)).toBeCloseTo(10 * getTolerance('float32', 64), 12)
    expect(getTolerance('float64', 64)).toBeLessThan(1e-12)
    expect(getTolerance('int32', 1000)).toBe(0)
  })
  test('are a share of the largest element, so that cancelling elements are not held to more than they have', () => {
    const [big, bit] = [1000, 1000 * getTolerance('float32', 100)]
    expect(differences(tensor([2], [big, 0]), tensor([2], [big, bit / 2]))).toEqual([])
    expect(differences(tensor([2], [big, 0]), tensor([2], [big, bit * 2]))).toHaveLength(1)
  })
  test('are none where elements are only moved', () => {
    const next = 1 + 2 ** -23
    expect(differences(tensor([1], [1]), tensor([1], [next]), 0)).toHaveLength(1)
    expect(differences(tensor([1], [1]), tensor([1], [next]), 1)).toEqual([])
  })
})

test('integers are exact, also beyond 2^53', () => {
  const long = of('int64', [1], '0100000000002000')
  expect(differences(long, structuredClone(long))).toEqual([])
  expect(differences(long, of('int64', [1], '0000000000002000'))).toHaveLength(1)
})

test('what only looks like a tensor equals none', () => {
  for (const forged of [
    { $tensor: { dtype: 'float32', shape: [2, 2], data: a.$tensor.data.slice(4) } },
    { $tensor: { dtype: 'float32', shape: [2, 2] } },
    { $tensor: { dtype: 'float32', shape: [2, 2], artifact: '0'.repeat(64) } },
    { $tensor: null },
    { $tensor: a.$tensor, more: 1 },
    null,
  ])
    expect(differences(a, forged).length).toBeGreaterThan(0)
})
