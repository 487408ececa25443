/** Summaries of large tensors: what is within the tolerance passes, and what a mistake makes does not. */
import { expect, test } from '@jest/globals'
import {
  createRng,
  drawElements,
  writeFloat32,
  type RandomSource,
  summarize,
  createTensor,
} from '@stateeval/program'
import { compare, getTolerance } from '../src/index.ts'

const long = process.env['STATEEVAL_LONG'] !== undefined
const world = { state: {}, ids: { initial: [], created: [] }, gone: [] }
const shape = [6, 10, 200]
const count = 12_000
const drawn = (seed: number) => drawElements(`tensor.${seed}.1`, shape)
const inShort = (values: Float32Array) => ({
  $tensor: { dtype: 'float32', shape, summary: summarize('float32', writeFloat32(values)) },
})
const differences = (expected: Float32Array, actual: Float32Array, reduction = 100) => {
  const compared = compare(
    { result: { t: inShort(expected) }, world },
    { result: { t: inShort(actual) }, world },
    { relativeTolerance: 1e-6, unordered: [], reduction },
  )
  return compared.equal ? [] : compared.differences.map(({ says }) => says)
}
const largest = (values: Float32Array) => values.reduce((most, one) => Math.max(most, Math.abs(one)), 0)

/** Errors of an element, as shares of what is allowed; rounding would have few of these patterns. */
const errors: [string, (at: number, rng: RandomSource) => number][] = [
  ['noise', (_, rng) => 2 * rng.unit() - 1],
  ['all one way', () => 1],
  ['to and fro', (at) => (at % 2 ? 1 : -1)],
  ['by rows', (at) => (Math.floor(at / 200) % 2 ? 1 : -1)],
  ['in one block', (at) => (at < 64 ? -1 : 0)],
]
test.each(errors)('elements as far apart as they may be pass: %s', (_, error) => {
  for (let seed = 0; seed < (long ? 200 : 2); seed++) {
    const rng = createRng(`errors ${seed}`)
    const values = drawn(seed)
    const room = getTolerance('float32', 100) * largest(values)
    // A hair less: the sum with an element is rounded, too.
    const other = values.map((value, at) => value + 0.999 * room * error(at, rng))
    expect(differences(values, other)).toEqual([])
    expect(differences(values, other, 0)).not.toEqual([])
  }
})

const mistakes: [string, (values: Float32Array, rng: RandomSource) => Float32Array | number[]][] = [
  ['another order', (values) => values.toReversed()],
  ['moved by one', (values) => values.map((_, at) => values[(at + 1) % count]!)],
  ['two rows exchanged', (values) => values.map((_, at) => values[at < 400 ? (at + 200) % 400 : at]!)],
  [
    'one element is 0',
    (values, rng) => {
      const large = values.findIndex((value, at) => at >= rng.int(0, count / 2) && Math.abs(value) > 1)
      return values.with(large, 0)
    },
  ],
  ['a hundredth more', (values) => values.map((value) => value * 1.01)],
  [
    'twice the tolerance, all one way',
    (values) => {
      const room = getTolerance('float32', 100) * largest(values)
      return values.map((value) => value + 2 * room)
    },
  ],
  ['a NaN', (values) => values.with(4321, Number.NaN)],
  ['an infinity', (values) => values.with(4321, Infinity)],
]
test.each(mistakes)('mistakes are caught: %s', (_, mistake) => {
  for (let seed = 0; seed < (long ? 200 : 2); seed++) {
    const values = drawn(seed)
    const [says] = differences(values, Float32Array.from(mistake(values, createRng(`mistake ${seed}`))))
    expect(says).toContain('RESULT.t differs: ')
  }
})

test('what is no number counts by kind and place', () => {
  const values = drawn(1)
  const odd = values.with(7, Number.NaN).with(11_999, -Infinity)
  expect(
    differences(
      odd,
      odd.map((value) => value * (1 + 2 ** -23)),
    ),
  ).toEqual([])
  for (const other of [odd.with(7, 1).with(8, Number.NaN), odd.with(11_999, Infinity), values])
    expect(differences(odd, other)[0]).toMatch(/expected 1 NaN, 0 infinities and 1 negative ones/)
})

test('without rounding all bits count, but those that equal numbers may have otherwise', () => {
  const values = drawn(2).with(5, 0).with(6, Number.NaN)
  const bits = new Uint32Array(values.slice().buffer)
  bits[5] = 0x80000000
  bits[6] = 0xffc00001
  const bytes = new Uint8Array(bits.buffer)
  expect(summarize('float32', bytes)).toEqual(summarize('float32', writeFloat32(values)))
  bits[4]! ^= 1
  expect(differences(values, new Float32Array(bits.buffer), 0)).toEqual([
    'RESULT.t differs: elements differ in 1 of 375 blocks',
  ])
})

test('a summary is compared with a summary only, of the same form', () => {
  const values = drawn(3)
  const [whole, short] = [createTensor('float32', shape, writeFloat32(values)), inShort(values)]
  const isEqual = (expected: unknown, actual: unknown) =>
    compare({ result: expected, world }, { result: actual, world }, { relativeTolerance: 0, unordered: [] })
      .equal
  expect(isEqual(short, structuredClone(short))).toBe(true)
  expect(isEqual(short, whole)).toBe(false)
  expect(isEqual(whole, short)).toBe(false)
  expect(isEqual(short, { $tensor: { ...short.$tensor, shape: [count] } })).toBe(false)
  expect(isEqual(short, { $tensor: { ...short.$tensor, summary: { sha256: 'x' } } })).toBe(false)
})

test('summaries and drawn elements stay what they are', () => {
  const values = drawElements('weight.1.2', [3, 5000])
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + value ** 2, 0) / values.length
  expect(Math.abs(mean)).toBeLessThan(2e-4)
  expect(variance * 5000).toBeCloseTo(1, 1)
  const { sha256, sums, samples, ...rest } = summarize('float32', writeFloat32(values))
  expect([sha256, sums.length, samples.length, rest]).toEqual([
    '4e7422e6866324e2be9339ca3ac353d913294110d169ac727d98ba2f5aa5cee3',
    5004,
    5004,
    { least: -0.04535046964883804, most: 0.04370030760765076 },
  ])
})
