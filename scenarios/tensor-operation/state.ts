/**
 * The state schema. A tensor is a value of a variable: its shape and dtype stand in it. What else is known of
 * it is in the world, by what it is: whether its memory is contiguous, which calls it went through, how large
 * its elements are.
 */
import type { JsonValue, WorldState } from '@stateeval/contracts'
import { isTensorLike, scaledSeed } from '@stateeval/program'

/** A tensor in the state machine: with its values, or named by their origin. */
export interface StateTensor {
  dtype: string
  shape: readonly number[]
  /** Base64 of its values. Where every argument of a call has them, the call's output is computed. */
  data?: string
  artifact?: string
  /** A draft's initial tensor, whose values are made from this seed when the program is kept. */
  seed?: string
  /**
   * The result of a call: a name of its shape and elements, equal for equal results as far as the equations
   * of movement tell.
   */
  of?: TensorName
}
/** A number names a call's result, a text an initial value of the program. */
export type TensorName = string | number

/** Facts about a tensor besides its shape and dtype. */
export interface TensorFacts {
  contiguous: boolean
  /** log2 of how large its elements may be, roughly; programs keep far from overflow. */
  magnitude: number
  /** Moved elements only: the tensor that they are of, and the order of its dimensions. */
  view?: undefined | { of: TensorName; shape: readonly number[]; dims: readonly number[] }
  /** A part along one dimension of another tensor. */
  slice?: undefined | { of: TensorName; shape: readonly number[]; dim: number; from: number; length: number }
}

export interface TensorWorld {
  /** The most elements that any tensor of the program may have. */
  elements: number
  /** Facts of the tensors that calls made, the newest first, by name. */
  tensors: readonly (TensorFacts & { name: TensorName })[]
}

export const openWorld = (initial: JsonValue): TensorWorld => ({
  elements: (initial as { elements?: number } | null)?.elements ?? defaultElements,
  tensors: [],
})
export const defaultElements = 4096

/** Nothing remote: calls change no state but the program's own values. */
export const observeWorld = (): WorldState => ({ state: {}, ids: { initial: [], created: [] }, gone: [] })

export const toStateTensor = (value: unknown): StateTensor | null =>
  isTensorLike(value) ? (value.$tensor as StateTensor) : null
/** A name that only tensors with the same shape and elements have, as far as is known. */
export const formatTensorName = ({ of, artifact, seed }: StateTensor): TensorName =>
  of ?? artifact ?? seed ?? ''

export const isWeightName = (name: string) => name.includes(scaledSeed)

const fresh: TensorFacts = { contiguous: true, magnitude: 0, view: undefined, slice: undefined }
export function readFacts({ tensors }: TensorWorld, { of }: StateTensor): TensorFacts {
  if (of !== undefined) for (const tensor of tensors) if (tensor.name === of) return tensor
  return fresh
}
