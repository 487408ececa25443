import { createRef, type RandomSource, type TraceScope } from '@stateeval/program'
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
  type TensorHandle,
  listKnownTensors,
} from '../handles.ts'
import { estimateMagnitude } from '../magnitude.ts'
import { conv2d as evaluate } from '../reference/computation.ts'
import { conv2d as say } from '../say/conv2d.ts'
import { computeConvolution, type ConvolutionWalk } from '../shapes/computation.ts'
import { formatTensorName, type StateTensor, type TensorName, type TensorWorld } from '../state.ts'
import { NameDigest } from '../digest.ts'
import { drawWalk, listKernels, optionsOf, drawOutChannels, listWalks } from '../solutions/conv2d.ts'
import { drawBias } from './linear.ts'

/** How often a weight that is there is taken, where one fits. */
const knownChance = 0.6

/** Slides kernels over height and width. */
export const conv2d: TensorOperation = {
  id: 'conv2d',
  *solve(scope, rng) {
    const { handles } = listKnownTensors(scope)
    const images = handles.filter(({ tensor }) => tensor.shape.length === 4)
    let total = 0
    for (const input of drawInputs(images, 3, rng)) {
      if (total === enough) return
      const one =
        (rng.chance(knownChance) ? withKnown(scope, input, images, rng) : null) ??
        withFresh(scope, input, rng)
      if (one) yield one
      if (one) total++
    }
  },
  effects: findConvEffects,
  apply: (world, args) => applyEffects(world, findConvEffects(world, args)),
  tells: ['input', 'weight', 'bias'],
  gathers: { key: 'convolved', path: [] },
  say,
}

type ConvScope = TraceScope<TensorWorld>

/** Convolved with a weight that is there. */
function withKnown(
  scope: ConvScope,
  input: TensorHandle,
  images: readonly TensorHandle[],
  rng: RandomSource,
) {
  const fits = images.filter(
    (other) => other.tensor !== input.tensor && isWeightCandidate(other, input.tensor),
  )
  if (fits.length === 0) return null
  const handle = rng.weighted(fits, ({ parameter, weight }) => (parameter ? 10 : weight))
  const [filters, inChannels, tall, wide] = handle.tensor.shape as [number, number, number, number]
  const [batch, channels, height, width] = input.tensor.shape as [number, number, number, number]
  const walk = drawWalk(
    listWalks(height, width, [tall, wide]),
    Math.floor(scope.world.elements / (batch * filters)),
    rng,
  )
  if (!walk) return null
  const bias = drawBias(listHandles(scope), filters, rng)
  const args = {
    input: input.reference,
    weight: handle.reference,
    ...bias.args,
    ...optionsOf(walk, channels / inChannels),
  }
  return createCandidate(scope, say, findConvEffects, args, bias.added)
}

/** Convolved with a fresh weight. */
function withFresh(scope: ConvScope, input: TensorHandle, rng: RandomSource) {
  const { elements } = scope.world
  const [batch, channels, height, width] = input.tensor.shape as [number, number, number, number]
  const { kernel } = rng.weighted(listKernels(height, width), ({ weight }) => weight)
  const walk = drawWalk(listWalks(height, width, kernel), Math.floor(elements / batch), rng)
  if (!walk) return null
  const choices = drawOutChannels(
    channels,
    Math.floor(elements / (batch * walk.places)),
    Math.floor(elements / (kernel[0] * kernel[1])),
  )
  if (choices.length === 0) return null
  const { filters, groups } = rng.weighted(choices, ({ weight }) => weight)
  const weight = drawFreshTensor('user_weight', [filters, channels / groups, ...kernel], rng)
  const bias = drawBias(listHandles(scope), filters, rng)
  const args = {
    input: input.reference,
    weight: createRef('user_weight'),
    ...bias.args,
    ...optionsOf(walk, groups),
  }
  return createCandidate(scope, say, findConvEffects, args, [weight, ...bias.added])
}
const listHandles = (scope: ConvScope) => listKnownTensors(scope).handles

/**
 * The name of what a walk makes, without what makes no difference: the dilation of a kernel of one, the
 * stride of a single place.
 */
function createWalkName(
  inputs: readonly StateTensor[],
  { stride, dilation, before, after, groups }: ConvolutionWalk,
  weight: readonly number[],
  shape: readonly number[],
): TensorName {
  const digest = new NameDigest('conv2d')
  for (const input of inputs) digest.name(formatTensorName(input))
  for (const side of [0, 1] as const) {
    const [kernel, places] = [weight.at(side - 2), shape.at(side - 2)]
    digest.number(places === 1 ? 1 : stride[side]).number(kernel === 1 ? 1 : dilation[side])
    digest.number(before[side]).number(after[side])
  }
  return digest.number(groups).end()
}

/**
 * Tells whether a tensor can be the weight of another: whole groups of channels, a kernel no larger than the
 * image.
 */
function isWeightCandidate({ tensor, parameter }: TensorHandle, image: StateTensor): boolean {
  const [filters, inChannels, tall, wide] = tensor.shape as [number, number, number, number]
  const [, channels, height, width] = image.shape as [number, number, number, number]
  const groups = channels / inChannels
  const whole = Number.isInteger(groups) && filters % groups === 0 && tall <= height && wide <= width
  // A picture stands as a kernel only where it is as small as one.
  return whole && (parameter || (groups === 1 && tall <= 3 && wide <= 3))
}

const parameters = {
  needed: ['input', 'weight'],
  optional: ['bias'],
  others: ['stride', 'padding', 'dilation', 'groups'],
}
function findConvEffects(world: TensorWorld, args: TensorArguments): CallEffects {
  const tensors = listTensorArguments('conv2d', args, parameters)
  if (!Array.isArray(tensors)) return tensors
  const [input, weight, bias] = tensors as [StateTensor, StateTensor, StateTensor | null]
  const made = computeConvolution(input.shape, weight.shape, bias?.shape ?? null, args)
  if (!made.ok) return refuseEffect(() => made.says)
  const { shape, walk } = made
  const inputs = bias ? [input, weight, bias] : [input, weight]
  const make: TensorEffect = {
    shape,
    symbol: () => ({
      of: createWalkName(inputs, walk, weight.shape, shape),
      contiguous: true,
      magnitude: estimateMagnitude(world, input, weight),
    }),
    values: (elementsOf) =>
      evaluate(elementsOf(input), elementsOf(weight), bias ? elementsOf(bias) : null, walk),
  }
  return { ok: true, inputs, makes: [make] }
}
