import { createLiteral, type RandomSource } from '@stateeval/program'
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
import { slice } from '../reference/movement.ts'
import { split as say } from '../say/split.ts'
import { isLarge } from '../large.ts'
import { splitShapes } from '../shapes/movement.ts'
import { findDim } from '../shapes/outcome.ts'
import { createDimArgument } from '../spell.ts'
import type { StateTensor, TensorWorld } from '../state.ts'
import { takePart } from '../symbols.ts'

const maxPieces = 4

/** Takes a tensor apart along a dimension: pieces of one size, or of sizes that are listed. */
export const split: TensorOperation = {
  id: 'split',
  *solve(scope, rng) {
    let total = 0
    const large = isLarge(scope.world.elements)
    for (const { reference, tensor } of drawInputs(listKnownTensors(scope).handles, 3, rng)) {
      const dims = tensor.shape.flatMap((size, dim) => (size > 1 ? [dim] : []))
      if (dims.length === 0) continue
      const dim = rng.pick(dims)
      const size = tensor.shape[dim] as number
      const even = rng.chance(0.5)
      const by =
        large && size > enumerated
          ? drawCut(size, even, rng)
          : even
            ? rng.pick(listPieceSizes(size))
            : rng.pick(listSections(size))
      const args = {
        tensor: reference,
        split_size_or_sections: createLiteral(by),
        ...createDimArgument(dim, tensor.shape.length, rng),
      }
      const one = createCandidate(scope, say, findSplitEffects, args)
      if (one) yield one
      if (one && ++total === enough) return
    }
  },
  effects: findSplitEffects,
  apply: (world, args) => applyEffects(world, findSplitEffects(world, args)),
  tells: ['tensor'],
  gathers: { key: 'pieces', path: [] },
  say,
}

/** The sizes that give two pieces or more, and not too many. */
const listPieceSizes = (size: number) =>
  Array.from({ length: size - 1 }, (_, n) => n + 1).filter((by) => Math.ceil(size / by) <= maxPieces)

const sections = new Map<number, number[][]>()
/** The ways to write a size as a sum of two or more sections, in every order, and not too many. */
function listSections(size: number): readonly number[][] {
  let all = sections.get(size)
  if (!all) sections.set(size, (all = listSums(size, maxPieces).filter((list) => list.length > 1)))
  return all
}
function listSums(size: number, maxSections: number): number[][] {
  if (size === 0) return [[]]
  if (maxSections === 0) return []
  return Array.from({ length: size }, (_, n) => n + 1).flatMap((first) =>
    listSums(size - first, maxSections - 1).map((rest) => [first, ...rest]),
  )
}

/** Sides up to this size have their ways to be cut enumerated in a large world. */
const enumerated = 16

/** One of the ways, where enumerating all of them would take long. */
function drawCut(size: number, even: boolean, rng: RandomSource): number | number[] {
  if (even) return rng.int(Math.ceil(size / maxPieces), size - 1)
  const cuts = new Set(Array.from({ length: rng.int(1, maxPieces - 1) }, () => rng.int(1, size - 1)))
  const ends = [0, ...[...cuts].sort((a, b) => a - b), size]
  return ends.slice(1).map((end, n) => end - (ends[n] as number))
}

const parameters = { needed: ['tensor'], others: ['split_size_or_sections', 'dim'] }
function findSplitEffects(world: TensorWorld, args: TensorArguments): CallEffects {
  const tensors = listTensorArguments('split', args, parameters)
  if (!Array.isArray(tensors)) return tensors
  const [tensor] = tensors as [StateTensor]
  const pieces = splitShapes(tensor.shape, args.split_size_or_sections, args.dim ?? 0)
  if (!pieces.ok) return refuseEffect(() => pieces.says)
  const dim = findDim(args.dim ?? 0, tensor.shape.length) as number
  let from = 0
  const makes = pieces.shapes.map((shape): TensorEffect => {
    const [at, length] = [from, shape[dim] as number]
    from += length
    return {
      shape,
      symbol: () => takePart(world, tensor, dim, at, length),
      values: (elementsOf) => slice(elementsOf(tensor), dim, at, length),
    }
  })
  return { ok: true, inputs: [tensor], makes, isList: true }
}
