/**
 * The properties of a variable that an if may test. What only a run can tell comes first: where the largest
 * or the smallest element stands. Sizes and numbers of dimensions or pieces follow from shapes, so they are
 * for tensors too small to ask, and for large worlds, where only a run makes values; the dtype, which is the
 * same everywhere, would ask nothing.
 */
import type { JsonValue } from '@stateeval/contracts'
import {
  type ScopeBinding,
  findExtreme,
  extremes,
  type ValuePath,
  type RandomSource,
  tensorKey,
  type TestableProperty,
} from '@stateeval/program'
import { isLarge } from './large.ts'
import { count } from './reference/array.ts'
import { toStateTensor, type StateTensor } from './state.ts'

/** Elements from which on a guess at a place is mostly wrong. */
const leastElements = 8

/** Places are measured once there are values: until then a text stands for each. */
function listValueConditions(tensor: StateTensor, path: ValuePath, rng: RandomSource): TestableProperty[] {
  if (count(tensor.shape) < leastElements) return []
  return rng.shuffle(extremes).map((extreme): TestableProperty => {
    const value = findExtreme(tensor as Parameters<typeof findExtreme>[0], extreme)
    const other = typeof value === 'number' ? drawOtherNumber(value, 0, rng) : `${value} (other)`
    return { path: [...path, tensorKey, extreme], measure: 'value', value, other }
  })
}

function listShapeConditions({ shape }: StateTensor, path: ValuePath, rng: RandomSource): TestableProperty[] {
  const at = (...keys: (string | number)[]) => [...path, tensorKey, ...keys]
  const sizes = shape.map((value, dim): TestableProperty => ({
    path: at('shape', dim),
    measure: 'value',
    value,
    other: drawOtherNumber(value, 1, rng),
  }))
  const rank: TestableProperty = {
    path: at('shape'),
    measure: 'count',
    value: shape.length,
    other: drawOtherNumber(shape.length, 1, rng),
  }
  const sizeConditions = rng.shuffle(sizes)
  return rng.chance(0.75) ? [...sizeConditions, rank] : [rank, ...sizeConditions]
}

const drawOtherNumber = (value: number, least: number, rng: RandomSource) =>
  value > least && rng.chance(0.5) ? value - 1 : value + 1

/** `elements`: the world's bound. */
export function listTensorConditions(
  { value }: ScopeBinding,
  rng: RandomSource,
  elements: number,
): TestableProperty[] {
  const ofElements: typeof listValueConditions = isLarge(elements) ? () => [] : listValueConditions
  const tensor = toStateTensor(value)
  if (tensor) return [...ofElements(tensor, [], rng), ...listShapeConditions(tensor, [], rng)]
  if (!Array.isArray(value)) return []
  const pieces = value.map((one: JsonValue) => toStateTensor(one)).filter((piece) => piece !== null)
  const number: TestableProperty = {
    path: [],
    measure: 'count',
    value: value.length,
    other: drawOtherNumber(value.length, 1, rng),
  }
  return [
    ...rng.shuffle(pieces.flatMap((piece, n) => ofElements(piece, [n], rng))),
    ...rng.shuffle([number, ...pieces.flatMap((piece, n) => listShapeConditions(piece, [n], rng))]),
  ]
}
