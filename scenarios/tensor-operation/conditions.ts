/** The properties of a variable that an if may test: sizes, the number of dimensions; the number of pieces. All follow from shapes, since a program can't see elements; the dtype, which is the same everywhere, would ask nothing. */
import type { Json } from '@stateeval/contracts'
import { type Binding, type Path, type Rng, tensorKey, type Testable } from '@stateeval/program'
import { asTensor, type Tensor } from './state.ts'

function attributes({ shape }: Tensor, path: Path, rng: Rng): Testable[] {
  const at = (...keys: (string | number)[]) => [...path, tensorKey, ...keys]
  const sizes = shape.map((value, dim): Testable => ({
    path: at('shape', dim),
    measure: 'value',
    value,
    other: another(value, 1, rng),
  }))
  const rank: Testable = {
    path: at('shape'),
    measure: 'count',
    value: shape.length,
    other: another(shape.length, 1, rng),
  }
  const sizeConditions = rng.shuffle(sizes)
  return rng.chance(0.75) ? [...sizeConditions, rank] : [rank, ...sizeConditions]
}

const another = (value: number, least: number, rng: Rng) =>
  value > least && rng.chance(0.5) ? value - 1 : value + 1

export function conditions({ value }: Binding, rng: Rng): Testable[] {
  const tensor = asTensor(value)
  if (tensor) return attributes(tensor, [], rng)
  if (!Array.isArray(value)) return []
  const pieces = value.flatMap((one: Json, n) => {
    const piece = asTensor(one)
    return piece ? attributes(piece, [n], rng) : []
  })
  const count: Testable = {
    path: [],
    measure: 'count',
    value: value.length,
    other: another(value.length, 1, rng),
  }
  return rng.chance(0.5) ? [count, ...rng.shuffle(pieces)] : [...rng.shuffle(pieces), count]
}
