/** PyTorch's shape equations of linear and conv2d, with its error conditions. */
import { isInteger, type Refusal, refuse, type Shapes, shapes, spelled } from './outcome.ts'

type Shape = readonly number[]
const product = (sizes: Shape) => sizes.reduce((all, size) => all * size, 1)

export function linearShape(input: Shape, weight: Shape, bias: Shape | null): Shapes {
  const features = input.at(-1)
  if (features === undefined)
    return refuse(() => 'both arguments to linear need to be at least 1D, but they are 0D and 2D')
  if (weight.length !== 2)
    return refuse(
      () => `linear expects a weight of 2 dimensions (out_features, in_features), but got ${spelled(weight)}`,
    )
  const [outFeatures, inFeatures] = weight as [number, number]
  const rows = product(input.slice(0, -1))
  if (features !== inFeatures)
    return refuse(
      () =>
        `mat1 and mat2 shapes cannot be multiplied (${rows}x${features} and ${inFeatures}x${outFeatures})`,
    )
  if (bias && (bias.length !== 1 || bias[0] !== outFeatures))
    return refuse(
      () =>
        `The expanded size of the tensor (${outFeatures}) must match the existing size (${String(bias.at(-1))}) at non-singleton dimension`,
    )
  return shapes([...input.slice(0, -1), outFeatures])
}

interface ConvOptions {
  stride?: unknown
  padding?: unknown
  dilation?: unknown
  groups?: unknown
}
/** How a convolution walks, each for height and width; `before` is the padding at the top and on the left. */
export interface Walk {
  stride: [number, number]
  dilation: [number, number]
  before: [number, number]
  after: [number, number]
  groups: number
}

const pair = (value: unknown): [number, number] | null => {
  if (isInteger(value)) return [value, value]
  if (!Array.isArray(value) || !value.every(isInteger)) return null
  if (value.length === 1) return [value[0] as number, value[0] as number]
  return value.length === 2 ? (value as [number, number]) : null
}

/** The walk of these options over a kernel of this size, or a text. */
export function walkOf(
  { stride = 1, padding = 0, dilation = 1, groups = 1 }: ConvOptions,
  kernel: readonly [number, number],
): Walk | string {
  const [strides, dilations] = [pair(stride), pair(dilation)]
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
  const pads = pair(padding)
  if (!pads)
    return `conv2d(): argument 'padding' must be an integer or two, 'same' or 'valid', not ${JSON.stringify(padding)}`
  if (pads.some((one) => one < 0)) return 'negative padding is not supported'
  return { ...base, before: pads, after: pads }
}

/** How many places a kernel takes along a side; less than 1 where it doesn't fit. */
export const places = (
  size: number,
  kernel: number,
  { stride, dilation, before, after }: Walk,
  side: 0 | 1,
) => Math.floor((size + before[side] + after[side] - dilation[side] * (kernel - 1) - 1) / stride[side]) + 1

/** The shape that a convolution makes, and how it walks. */
export function convolution(
  input: Shape,
  weight: Shape,
  bias: Shape | null,
  options: ConvOptions,
): { ok: true; shape: number[]; walk: Walk } | Refusal {
  if (weight.length !== 4)
    return refuse(() => `weight should have 4 dimensions for conv2d, but got ${spelled(weight)}`)
  if (input.length !== 4 && input.length !== 3)
    return refuse(
      () =>
        `Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: ${spelled(input)}`,
    )
  const [outChannels, inChannels, ...kernel] = weight as [number, number, number, number]
  const walk = walkOf(options, kernel)
  if (typeof walk === 'string') return refuse(() => walk)
  const [channels, height, width] = input.slice(-3) as [number, number, number]
  if (channels !== inChannels * walk.groups)
    return refuse(
      () =>
        `Given groups=${walk.groups}, weight of size ${spelled(weight)}, expected input${spelled(input)} to have ${inChannels * walk.groups} channels, but got ${channels} channels instead`,
    )
  if (outChannels % walk.groups !== 0 || outChannels === 0)
    return refuse(
      () =>
        `Given groups=${walk.groups}, expected weight to be divisible by ${walk.groups} at dimension 0, but got weight of size ${spelled(weight)} instead`,
    )
  if (bias && (bias.length !== 1 || bias[0] !== outChannels))
    return refuse(
      () =>
        `Given weight of size ${spelled(weight)}, expected bias to be 1-dimensional with ${outChannels} elements, but got bias of size ${spelled(bias)} instead`,
    )
  const sides = [places(height, kernel[0], walk, 0), places(width, kernel[1], walk, 1)]
  if (sides.some((side) => side < 1)) {
    const padded = [height + walk.before[0] + walk.after[0], width + walk.before[1] + walk.after[1]]
    const reach = kernel.map((size, n) => (walk.dilation[n] as number) * (size - 1) + 1)
    return refuse(
      () =>
        `Calculated padded input size per channel: (${padded.join(' x ')}). Kernel size: (${reach.join(' x ')}). Kernel size can't be greater than actual input size`,
    )
  }
  return { ok: true, shape: [...input.slice(0, -3), outChannels, ...sides], walk }
}
