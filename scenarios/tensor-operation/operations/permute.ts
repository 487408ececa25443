import { createLiteral } from '@stateeval/program'
import {
  type TensorArguments,
  type TensorEffect,
  type CallEffects,
  refuseEffect,
  listTensorArguments,
  type TensorOperation,
  applyEffects,
} from '../effects.ts'
import { createCandidate, drawInputs, enough, listKnownTensors } from '../handles.ts'
import { permute as evaluate } from '../reference/movement.ts'
import { permute as say } from '../say/permute.ts'
import { orderDims } from '../shapes/movement.ts'
import type { StateTensor, TensorWorld } from '../state.ts'
import { isMoved, reorderSymbolic } from '../symbols.ts'

/** Puts the dimensions in another order. */
export const permute: TensorOperation = {
  id: 'permute',
  *solve(scope, rng) {
    let total = 0
    for (const { reference, tensor } of drawInputs(listKnownTensors(scope).handles, 3, rng)) {
      const rank = tensor.shape.length
      const orders = listOrders(rank)
      if (orders.length === 0) continue
      const order = rng.pick(orders)
      const dims = rng.chance(0.15) ? order.map((dim) => (dim === rank - 1 ? -1 : dim)) : [...order]
      const one = createCandidate(scope, say, findPermuteEffects, {
        input: reference,
        dims: createLiteral(dims),
      })
      if (one) yield one
      if (one && ++total === enough) return
    }
  },
  effects: findPermuteEffects,
  apply: (world, args) => applyEffects(world, findPermuteEffects(world, args)),
  tells: ['input'],
  gathers: { key: 'permuted', path: [] },
  say,
}

const orders = new Map<number, number[][]>()
/** All orders of so many dimensions; of three and more, those that no single exchange makes. */
function listOrders(rank: number): readonly number[][] {
  let all = orders.get(rank)
  if (!all) {
    const every = listArrangements(Array.from({ length: rank }, (_, n) => n))
    all = every.filter(
      (order) => isMoved(order) && (rank < 3 || order.filter((dim, n) => dim !== n).length > 2),
    )
    orders.set(rank, all)
  }
  return all
}
const listArrangements = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        listArrangements(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      )

const parameters = { needed: ['input'], others: ['dims'] }
function findPermuteEffects(world: TensorWorld, args: TensorArguments): CallEffects {
  const tensors = listTensorArguments('permute', args, parameters)
  if (!Array.isArray(tensors)) return tensors
  const [input] = tensors as [StateTensor]
  const order = orderDims(input.shape.length, args.dims)
  if (typeof order === 'string') return refuseEffect(() => order)
  const shape = order.map((dim) => input.shape[dim] as number)
  const make: TensorEffect = {
    shape,
    symbol: () => reorderSymbolic(world, input, order),
    values: (elementsOf) => evaluate(elementsOf(input), order),
  }
  return { ok: true, inputs: [input], makes: [make] }
}
