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
import { permute as say } from '../say/permute.ts'
import { ordered } from '../shapes/movement.ts'
import type { Tensor, TensorWorld } from '../state.ts'
import { isMoved, reordered } from '../symbols.ts'

/** Puts the dimensions in another order. */
export const permute: TensorOperation = {
  id: 'permute',
  *solve(scope, rng) {
    let total = 0
    for (const { reference, tensor } of drawInputs(tensorsIn(scope).handles, 3, rng)) {
      const rank = tensor.shape.length
      const orders = ordersOf(rank)
      if (orders.length === 0) continue
      const order = rng.pick(orders)
      const dims = rng.chance(0.15) ? order.map((dim) => (dim === rank - 1 ? -1 : dim)) : [...order]
      const one = candidate(scope, say, effects, { input: reference, dims: literal(dims) })
      if (one) yield one
      if (one && ++total === enough) return
    }
  },
  effects,
  apply: (world, args) => transition(world, effects(world, args)),
  tells: ['input'],
  gathers: { key: 'permuted', path: [] },
  say,
}

const orders = new Map<number, number[][]>()
/** All orders of so many dimensions; of three and more, those that no single exchange makes. */
function ordersOf(rank: number): readonly number[][] {
  let all = orders.get(rank)
  if (!all) {
    const every = arrangements(Array.from({ length: rank }, (_, n) => n))
    all = every.filter(
      (order) => isMoved(order) && (rank < 3 || order.filter((dim, n) => dim !== n).length > 2),
    )
    orders.set(rank, all)
  }
  return all
}
const arrangements = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        arrangements(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      )

const parameters = { needed: ['input'], others: ['dims'] }
function effects(world: TensorWorld, args: Args): Effects {
  const tensors = tensorArgs('permute', args, parameters)
  if (!Array.isArray(tensors)) return tensors
  const [input] = tensors as [Tensor]
  const order = ordered(input.shape.length, args.dims)
  if (typeof order === 'string') return refused(() => order)
  const shape = order.map((dim) => input.shape[dim] as number)
  const make: Effect = {
    shape,
    symbol: () => reordered(world, input, order),
    values: (elementsOf) => evaluate(elementsOf(input), order),
  }
  return { ok: true, inputs: [input], makes: [make] }
}
