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
import { transpose as say } from '../say/transpose.ts'
import { exchangeDims } from '../shapes/movement.ts'
import { spellDimension } from '../spell.ts'
import type { StateTensor, TensorWorld } from '../state.ts'
import { reorderSymbolic } from '../symbols.ts'

/** Exchanges two dimensions. */
export const transpose: TensorOperation = {
  id: 'transpose',
  *solve(scope, rng) {
    let total = 0
    for (const { reference, tensor } of drawInputs(listKnownTensors(scope).handles, 3, rng)) {
      const pairs = listShapeExchanges(tensor.shape)
      if (pairs.length === 0) continue
      const [a, b] = rng.pick(pairs)
      const [dim0, dim1] = rng.chance(0.5) ? [a, b] : [b, a]
      const rank = tensor.shape.length
      const args = {
        input: reference,
        dim0: createLiteral(spellDimension(dim0, rank, rng)),
        dim1: createLiteral(spellDimension(dim1, rank, rng)),
      }
      const one = createCandidate(scope, say, findTransposeEffects, args)
      if (one) yield one
      if (one && ++total === enough) return
    }
  },
  effects: findTransposeEffects,
  apply: (world, args) => applyEffects(world, findTransposeEffects(world, args)),
  tells: ['input'],
  gathers: { key: 'transposed', path: [] },
  say,
}

/** The pairs of dimensions whose exchange shows: not both of size 1. */
function listShapeExchanges(shape: readonly number[]): [number, number][] {
  return shape.flatMap((size, a) =>
    shape
      .slice(a + 1)
      .flatMap((other, n): [number, number][] => (size === 1 && other === 1 ? [] : [[a, a + 1 + n]])),
  )
}

const parameters = { needed: ['input'], others: ['dim0', 'dim1'] }
function findTransposeEffects(world: TensorWorld, args: TensorArguments): CallEffects {
  const tensors = listTensorArguments('transpose', args, parameters)
  if (!Array.isArray(tensors)) return tensors
  const [input] = tensors as [StateTensor]
  const order = exchangeDims(input.shape.length, args.dim0, args.dim1)
  if (typeof order === 'string') return refuseEffect(() => order)
  const shape = order.map((dim) => input.shape[dim] as number)
  const make: TensorEffect = {
    shape,
    symbol: () => reorderSymbolic(world, input, order),
    values: (elementsOf) => evaluate(elementsOf(input), order),
  }
  return { ok: true, inputs: [input], makes: [make] }
}
