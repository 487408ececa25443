/** PyTorch's shape equations of linear and conv2d, with its error conditions. */
import {
  isInteger,
  type ShapeRefusal,
  refuseShape,
  type EquationShapes,
  createShapes,
  spellShape,
} from './outcome.ts'

type ComputedShape = readonly number[]
const product = (sizes: ComputedShape) => sizes.reduce((all, size) => all * size, 1)

export function computeLinearShape(
  input: ComputedShape,
  weight: ComputedShape,
  bias: ComputedShape | null,
): EquationShapes {
  const features = input.at(-1)
  if (features === undefined)
    return refuseShape(() => 'both arguments to linear need to be at least 1D, but they are 0D and 2D')
  if (weight.length !== 2)
    return refuseShape(
      () =>
        `linear expects a weight of 2 dimensions (out_features, in_features), but got ${spellShape(weight)}`,
    )
  const [outFeatures, inFeatures] = weight as [number, number]
  const rows = product(input.slice(0, -1))
  if (features !== inFeatures)
    return refuseShape(
      () =>
        `mat1 and mat2 shapes cannot be multiplied (${rows}x${features} and ${inFeatures}x${outFeatures})`,
    )
  if (bias && (bias.length !== 1 || bias[0] !== outFeatures))
    return refuseShape(
      () =>
        `The expanded size of the tensor (${outFeatures}) must match the existing size (${String(bias.at(-1))}) at non-singleton dimension`,
    )
  return createShapes([...input.slice(0, -1), outFeatures])
}

interface ConvOptions {
  stride?: unknown
  padding?: unknown
  dilation?: unknown
  groups?: unknown
}
/** How a convolution walks, each for height and width; `before` is the padding at the top and on the left. */
export interface ConvolutionWalk {
  stride: [number, number]
  dilation: [number, number]
  before: [number, number]
  after: [number, number]
  groups: number
}

const parsePair = (value: unknown): [number, number] | null => {
  if (isInteger(value)) return [value, value]
  if (!Array.isArray(value) || !value.every(isInteger)) return null
  if (value.length === 1) return [value[0] as number, value[0] as number]
  return value.length === 2 ? (value as [number, number]) : null
}

/** The walk of these options over a kernel of this size, or a text. */
export function parseWalk(
  { stride = 1, padding = 0, dilation = 1, groups = 1 }: ConvOptions,
  kernel: readonly [number, number],
): ConvolutionWalk | string {
  const [strides, dilations] = [parsePair(stride), parsePair(dilation)]
  if (!strides) return `conv2d(): argument 'stride' must be an integer or two, not ${JSON.stringify(stride)}`
  if (!dilations)
    return `conv2d(): argument 'dilation' must be an integer or two, not ${JSON.stringify(dilation)}`
  if (strides.some((one) => one < 1)) return 'non-positive stride is not supported'
  if (dilations.some((one) => one < 1)) return 'dilation should be greater than zero'
  if (!isInteger(groups) || groups < 1) return 'non-positive groups is not supported'
  const base = { stride: strides, dilation: dilations, groups }
  if (padding === 'valid') return { ...base, before: [0, 0], after: [0, 0] }
  if (padding === 'same') {
    if (strides.some((one) => one !== 1)) return "padding='same' is not supported for strided convolutions"
    const whole = kernel.map((size, n) => (dilations[n] as number) * (size - 1)) as [number, number]
    // The odd one is put after.
    const before = whole.map((all) => Math.floor(all / 2)) as [number, number]
    return { ...base, before, after: whole.map((all, n) => all - (before[n] as number)) as [number, number] }
  }
  if (typeof padding === 'string') return `Invalid padding string: '${padding}'`
  const pads = parsePair(padding)
  if (!pads)
    return `conv2d(): argument 'padding' must be an integer or two, 'same' or 'valid', not ${JSON.stringify(padding)}`
  if (pads.some((one) => one < 0)) return 'negative padding is not supported'
  return { ...base, before: pads, after: pads }
}

/** How many places a kernel takes along a side; less than 1 where it doesn't fit. */
export const countKernelPlaces = (
  size: number,
  kernel: number,
  { stride, dilation, before, after }: ConvolutionWalk,
  side: 0 | 1,
) => Math.floor((size + before[side] + after[side] - dilation[side] * (kernel - 1) - 1) / stride[side]) + 1

/** The shape that a convolution makes, and how it walks. */
export function computeConvolution(
  input: ComputedShape,
  weight: ComputedShape,
  bias: ComputedShape | null,
  options: ConvOptions,
): { ok: true; shape: number[]; walk: ConvolutionWalk } | ShapeRefusal {
  if (weight.length !== 4)
    return refuseShape(() => `weight should have 4 dimensions for conv2d, but got ${spellShape(weight)}`)
  if (input.length !== 4 && input.length !== 3)
    return refuseShape(
      () =>
        `Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: ${spellShape(input)}`,
    )
  const [outChannels, inChannels, ...kernel] = weight as [number, number, number, number]
  const walk = parseWalk(options, kernel)
  if (typeof walk === 'string') return refuseShape(() => walk)
  const [channels, height, width] = input.slice(-3) as [number, number, number]
  if (channels !== inChannels * walk.groups)
    return refuseShape(
      () =>
        `Given groups=${walk.groups}, weight of size ${spellShape(weight)}, expected input${spellShape(input)} to have ${inChannels * walk.groups} channels, but got ${channels} channels instead`,
    )
  if (outChannels % walk.groups !== 0 || outChannels === 0)
    return refuseShape(
      () =>
        `Given groups=${walk.groups}, expected weight to be divisible by ${walk.groups} at dimension 0, but got weight of size ${spellShape(weight)} instead`,
    )
  if (bias && (bias.length !== 1 || bias[0] !== outChannels))
    return refuseShape(
      () =>
        `Given weight of size ${spellShape(weight)}, expected bias to be 1-dimensional with ${outChannels} elements, but got bias of size ${spellShape(bias)} instead`,
    )
  const sides = [countKernelPlaces(height, kernel[0], walk, 0), countKernelPlaces(width, kernel[1], walk, 1)]
  if (sides.some((side) => side < 1)) {
    const padded = [height + walk.before[0] + walk.after[0], width + walk.before[1] + walk.after[1]]
    const reach = kernel.map((size, n) => (walk.dilation[n] as number) * (size - 1) + 1)
    return refuseShape(
      () =>
        `Calculated padded input size per channel: (${padded.join(' x ')}). Kernel size: (${reach.join(' x ')}). Kernel size can't be greater than actual input size`,
    )
  }
  return { ok: true, shape: [...input.slice(0, -3), outChannels, ...sides], walk }
}
