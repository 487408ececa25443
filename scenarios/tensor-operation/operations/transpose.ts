import { literal } from '@stateeval/program'
import {
  type Args,
  type Effect,
  type Effects,
  refused,
  tensorArgs,
  type TensorOperation,
  transition,
} from '../effects.ts'
import { candidate, drawInputs, enough, tensorsIn } from '../handles.ts'
import { permute as evaluate } from '../reference/movement.ts'
import { transpose as say } from '../say/transpose.ts'
import { exchanged } from '../shapes/movement.ts'
import { dimension } from '../spell.ts'
import type { Tensor, TensorWorld } from '../state.ts'
import { reordered } from '../symbols.ts'

/** Exchanges two dimensions. */
export const transpose: TensorOperation = {
  id: 'transpose',
  *solve(scope, rng) {
    let total = 0
    for (const { reference, tensor } of drawInputs(tensorsIn(scope).handles, 3, rng)) {
      const pairs = exchanges(tensor.shape)
      if (pairs.length === 0) continue
      const [a, b] = rng.pick(pairs)
      const [dim0, dim1] = rng.chance(0.5) ? [a, b] : [b, a]
      const rank = tensor.shape.length
      const args = {
        input: reference,
        dim0: literal(dimension(dim0, rank, rng)),
        dim1: literal(dimension(dim1, rank, rng)),
      }
      const one = candidate(scope, say, effects, args)
      if (one) yield one
      if (one && ++total === enough) return
    }
  },
  effects,
  apply: (world, args) => transition(world, effects(world, args)),
  tells: ['input'],
  gathers: { key: 'transposed', path: [] },
  say,
}

/** The pairs of dimensions whose exchange shows: not both of size 1. */
function exchanges(shape: readonly number[]): [number, number][] {
  return shape.flatMap((size, a) =>
    shape
      .slice(a + 1)
      .flatMap((other, n): [number, number][] => (size === 1 && other === 1 ? [] : [[a, a + 1 + n]])),
  )
}

const parameters = { needed: ['input'], others: ['dim0', 'dim1'] }
function effects(world: TensorWorld, args: Args): Effects {
  const tensors = tensorArgs('transpose', args, parameters)
  if (!Array.isArray(tensors)) return tensors
  const [input] = tensors as [Tensor]
  const order = exchanged(input.shape.length, args.dim0, args.dim1)
  if (typeof order === 'string') return refused(() => order)
  const shape = order.map((dim) => input.shape[dim] as number)
  const make: Effect = {
    shape,
    symbol: () => reordered(world, input, order),
    values: (elementsOf) => evaluate(elementsOf(input), order),
  }
  return { ok: true, inputs: [input], makes: [make] }
}
