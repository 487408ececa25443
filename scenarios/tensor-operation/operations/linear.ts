import { createRef, type RandomSource } from '@stateeval/program'
import {
  type TensorArguments,
  type TensorEffect,
  type CallEffects,
  refuseEffect,
  listTensorArguments,
  type TensorOperation,
  applyEffects,
} from '../effects.ts'
import {
  createCandidate,
  drawInputs,
  enough,
  drawFreshTensor,
  type FreshTensor,
  type TensorHandle,
  listKnownTensors,
} from '../handles.ts'
import { estimateMagnitude } from '../magnitude.ts'
import { linear as evaluate } from '../reference/computation.ts'
import { count } from '../reference/array.ts'
import { linear as say } from '../say/linear.ts'
import { computeLinearShape } from '../shapes/computation.ts'
import { formatTensorName, type StateTensor, type TensorWorld } from '../state.ts'
import { NameDigest } from '../digest.ts'

/** Sizes of the last dimension that a fresh weight makes. */
const features = [2, 3, 4, 5, 6, 7, 8]
/** How often a weight that is there is taken, where one fits. */
const knownChance = 0.7
const biasChance = 0.3

/** Maps the last dimension by a matrix: y = x Wᵀ + b. */
export const linear: TensorOperation = {
  id: 'linear',
  *solve(scope, rng) {
    const { handles } = listKnownTensors(scope)
    const { elements } = scope.world
    let total = 0
    for (const input of drawInputs(handles, 3, rng)) {
      if (total === enough) return
      const { shape } = input.tensor
      const inFeatures = shape.at(-1) as number
      const rows = count(shape.slice(0, -1))
      const fits = handles.filter(
        ({ tensor }) =>
          tensor !== input.tensor &&
          tensor.shape.length === 2 &&
          tensor.shape[1] === inFeatures &&
          rows * (tensor.shape[0] as number) <= elements,
      )
      const handle = drawWeight(fits, rng)
      if (handle && rng.chance(knownChance)) {
        const bias = drawBias(handles, handle.tensor.shape[0] as number, rng)
        const one = createCandidate(
          scope,
          say,
          findLinearEffects,
          { input: input.reference, weight: handle.reference, ...bias.args },
          bias.added,
        )
        if (one) yield one
        if (one) total++
        continue
      }
      const sizes = features.filter((size) => rows * size <= elements && inFeatures * size <= elements)
      if (sizes.length === 0) continue
      const size = rng.pick(sizes)
      const bias = drawBias(handles, size, rng)
      const added = [drawFreshTensor('user_weight', [size, inFeatures], rng), ...bias.added]
      const one = createCandidate(
        scope,
        say,
        findLinearEffects,
        { input: input.reference, weight: createRef('user_weight'), ...bias.args },
        added,
      )
      if (one) yield one
      if (one) total++
    }
  },
  effects: findLinearEffects,
  apply: (world, args) => applyEffects(world, findLinearEffects(world, args)),
  tells: ['input', 'weight', 'bias'],
  gathers: { key: 'linear_output', path: [] },
  say,
}

/** A matrix that is there: rather a weight than another tensor. */
const drawWeight = (fits: readonly TensorHandle[], rng: RandomSource): TensorHandle | null =>
  fits.length === 0 ? null : rng.weighted(fits, ({ parameter, weight }) => (parameter ? 10 : weight))

/** A bias now and then: one that is there, or a fresh one. */
export function drawBias(
  handles: readonly TensorHandle[],
  size: number,
  rng: RandomSource,
): { args: { bias?: TensorHandle['reference'] }; added: FreshTensor[] } {
  if (!rng.chance(biasChance)) return { args: {}, added: [] }
  const biases = handles.filter(({ tensor }) => tensor.shape.length === 1 && tensor.shape[0] === size)
  if (biases.length > 0) return { args: { bias: rng.pick(biases).reference }, added: [] }
  return { args: { bias: createRef('user_bias') }, added: [drawFreshTensor('user_bias', [size], rng)] }
}

const parameters = { needed: ['input', 'weight'], optional: ['bias'], others: [] }
function findLinearEffects(world: TensorWorld, args: TensorArguments): CallEffects {
  const tensors = listTensorArguments('linear', args, parameters)
  if (!Array.isArray(tensors)) return tensors
  const [input, weight, bias] = tensors as [StateTensor, StateTensor, StateTensor | null]
  const shaped = computeLinearShape(input.shape, weight.shape, bias?.shape ?? null)
  if (!shaped.ok) return refuseEffect(() => shaped.says)
  const inputs = bias ? [input, weight, bias] : [input, weight]
  const make: TensorEffect = {
    shape: shaped.shapes[0] as number[],
    symbol: () => ({
      of: inputs
        .reduce((digest, input) => digest.name(formatTensorName(input)), new NameDigest('linear'))
        .end(),
      contiguous: true,
      magnitude: estimateMagnitude(world, input, weight),
    }),
    values: (elementsOf) => evaluate(elementsOf(input), elementsOf(weight), bias ? elementsOf(bias) : null),
  }
  return { ok: true, inputs, makes: [make] }
}
