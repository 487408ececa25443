/**
 * The solutions of conv2d's shape equation: every kernel, stride, padding and dilation of small size that
 * fits an image, enumerated once for each size of image. The plainer ones are drawn more often.
 */
import type { Expr } from '@stateeval/contracts'
import { createLiteral, type RandomSource } from '@stateeval/program'
import { countKernelPlaces, parseWalk } from '../shapes/computation.ts'

type SidePair = [number, number]
type OneOrTwo = number | SidePair

/** An option is left out where it is PyTorch's default. */
interface ConvWalk {
  stride?: OneOrTwo
  padding?: OneOrTwo | 'same' | 'valid'
  dilation?: OneOrTwo
  /** Places of the kernel in the image: elements of an output channel. */
  places: number
  weight: number
}

const kernels: readonly { kernel: SidePair; weight: number }[] = [
  { kernel: [3, 3], weight: 5 },
  { kernel: [2, 2], weight: 4 },
  { kernel: [1, 1], weight: 1 },
  { kernel: [1, 3], weight: 1 },
  { kernel: [3, 1], weight: 1 },
  { kernel: [2, 3], weight: 1 },
  { kernel: [3, 2], weight: 1 },
]

/** Kernels no larger than the image. */
export function listKernels(height: number, width: number): readonly { kernel: SidePair; weight: number }[] {
  const all = fitting[height > 2 ? 3 : height]?.[width > 2 ? 3 : width]
  return all ?? []
}
const fitting = [0, 1, 2, 3].map((height) =>
  [0, 1, 2, 3].map((width) => kernels.filter(({ kernel: [tall, wide] }) => tall <= height && wide <= width)),
)

const steps: readonly { value: OneOrTwo; weight: number }[] = [
  { value: 1, weight: 6 },
  { value: 2, weight: 4 },
  { value: 3, weight: 1 },
  { value: [2, 1], weight: 1 },
  { value: [1, 2], weight: 1 },
]
const pads: readonly { value: OneOrTwo | 'same' | 'valid'; weight: number }[] = [
  { value: 0, weight: 7 },
  { value: 1, weight: 5 },
  { value: 'same', weight: 3 },
  { value: 2, weight: 1 },
  { value: [1, 0], weight: 1 },
  { value: [0, 1], weight: 1 },
]
const dilations: readonly { value: OneOrTwo; weight: number }[] = [
  { value: 1, weight: 8 },
  { value: 2, weight: 2 },
  { value: [1, 2], weight: 0.5 },
  { value: [2, 1], weight: 0.5 },
]
const pairSides = (value: OneOrTwo): SidePair => (typeof value === 'number' ? [value, value] : value)

/** Walks with the sums of their weights up to each. */
interface WalkTable {
  all: readonly ConvWalk[]
  sums: readonly number[]
}
const solved = new Map<string, WalkTable>()
/** Large pictures are rarely of one size. */
const maxSolved = 2000

/** All walks of a kernel over an image. */
export function listWalks(height: number, width: number, kernel: SidePair): WalkTable {
  const key = `${height} ${width} ${kernel[0]} ${kernel[1]}`
  let walks = solved.get(key)
  if (!walks) {
    const all = solveWalks(height, width, kernel)
    let sum = 0
    if (solved.size >= maxSolved) solved.clear()
    solved.set(key, (walks = { all, sums: all.map(({ weight }) => (sum += weight)) }))
  }
  return walks
}

/**
 * One of the walks that take no more places than there is room, the plainer ones more often; null where none
 * does.
 */
export function drawWalk({ all, sums }: WalkTable, room: number, rng: RandomSource): ConvWalk | null {
  if (all.length === 0) return null
  const walk = all[findSumPlace(sums, rng.unit() * (sums.at(-1) as number))] as ConvWalk
  if (walk.places <= room) return walk
  const fits = all.filter(({ places }) => places <= room)
  return fits.length === 0 ? null : rng.weighted(fits, ({ weight }) => weight)
}

/** The first place whose sum is above a number. */
function findSumPlace(sums: readonly number[], number: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] as number) > number) high = middle
    else low = middle + 1
  }
  return low
}

function solveWalks(height: number, width: number, kernel: SidePair): ConvWalk[] {
  return steps.flatMap((stride) =>
    pads.flatMap((padding) =>
      dilations.flatMap((dilation): ConvWalk[] => {
        const walk = parseWalk(
          { stride: stride.value, padding: padding.value, dilation: dilation.value },
          kernel,
        )
        if (typeof walk === 'string' || !isSensible(kernel, stride.value, padding.value, dilation.value))
          return []
        const sides = [
          countKernelPlaces(height, kernel[0], walk, 0),
          countKernelPlaces(width, kernel[1], walk, 1),
        ] as SidePair
        if (sides[0] < 1 || sides[1] < 1 || !isStrideVisible(stride.value, sides)) return []
        return [
          {
            ...(stride.value === 1 ? {} : { stride: stride.value }),
            ...(padding.value === 0 ? {} : { padding: padding.value }),
            ...(dilation.value === 1 ? {} : { dilation: dilation.value }),
            places: sides[0] * sides[1],
            weight: stride.weight * padding.weight * dilation.weight,
          },
        ]
      }),
    ),
  )
}

/** Tells whether a stride is visible: there is more than one place along a side. */
const isStrideVisible = (stride: OneOrTwo, sides: SidePair) =>
  typeof stride === 'number'
    ? stride === 1 || sides.some((places) => places > 1)
    : stride.every((one, side) => one === 1 || (sides[side] as number) > 1)

/**
 * Excludes settings that PyTorch accepts but that have no point: padding that a whole kernel fits into, a
 * dilation of a kernel of one, a stride that skips elements.
 */
function isSensible(
  kernel: SidePair,
  stride: OneOrTwo,
  padding: OneOrTwo | 'same' | 'valid',
  dilation: OneOrTwo,
): boolean {
  const [strides, dilated] = [pairSides(stride), pairSides(dilation)]
  return (
    kernel.every((size, side) => {
      const reach = (dilated[side] as number) * (size - 1) + 1
      const pad = padding === 'valid' || padding === 'same' ? 0 : (pairSides(padding)[side] as number)
      return (
        pad < reach &&
        (size > 1 || dilated[side] === 1 || typeof dilation !== 'number') &&
        (strides[side] as number) <= Math.max(2, size) &&
        (padding !== 'same' || kernel.some((one) => one > 1))
      )
    }) &&
    (dilation === 1 || kernel.some((size, side) => size > 1 && (dilated[side] as number) > 1))
  )
}

interface ChannelChoice {
  filters: number
  groups: number
  weight: number
}
const maxMade = 8
const channelsKnown = new Map<number, readonly ChannelChoice[]>()

/**
 * The numbers of output channels and groups for an image of so many channels, within the bounds on output and
 * weight.
 */
export function drawOutChannels(
  channels: number,
  roomMade: number,
  roomWeight: number,
): readonly ChannelChoice[] {
  let all = channelsKnown.get(channels)
  if (!all) channelsKnown.set(channels, (all = listChannels(channels)))
  if (maxMade <= roomMade && maxMade * channels <= roomWeight) return all
  return all.filter(
    ({ filters, groups }) => filters <= roomMade && (filters * channels) / groups <= roomWeight,
  )
}

function listChannels(channels: number): ChannelChoice[] {
  const groups = Array.from({ length: channels }, (_, n) => n + 1).filter((size) => channels % size === 0)
  return groups.flatMap((size) =>
    Array.from({ length: maxMade }, (_, n) => n + 1)
      .filter((filters) => filters % size === 0)
      .map((filters) => ({
        filters,
        groups: size,
        weight: (size === 1 ? 5 : 2) * (filters === 1 ? 0.3 : 1),
      })),
  )
}

/** The options as arguments of the call. */
export function optionsOf({ stride, padding, dilation }: ConvWalk, groups: number): Record<string, Expr> {
  return {
    ...(stride === undefined ? {} : { stride: createLiteral(stride) }),
    ...(padding === undefined ? {} : { padding: createLiteral(padding) }),
    ...(dilation === undefined ? {} : { dilation: createLiteral(dilation) }),
    ...(groups === 1 ? {} : { groups: createLiteral(groups) }),
  }
}
