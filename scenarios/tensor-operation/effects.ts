/**
 * From equations to transitions: an output is computed where all values are at hand, else told by what it is
 * made of.
 */
import { asJson, type Json } from '@stateeval/contracts'
import type { Transition } from '@stateeval/program'
import { load, store, type Elements } from './reference/array.ts'
import { asTensor, type Facts, factsOf, nameOf, type Tensor, type TensorWorld } from './state.ts'

/** One tensor that a call makes. */
export interface Effect {
  shape: readonly number[]
  /** What it is, from what it is made of. */
  symbol: () => Symbolic
  values: (elementsOf: (tensor: Tensor) => Elements) => Elements
}
type Symbolic = { of: string } & Pick<Facts, 'contiguous'> & Partial<Omit<Facts, 'history'>>

/**
 * What a call with these arguments does: it takes tensors and makes others; or the error that PyTorch gives.
 */
export type Effects = { ok: true; inputs: readonly Tensor[]; makes: readonly Effect[] } | Refused
type Refused = { ok: false; error: { status: number; message: string } }
export type Args = Readonly<Record<string, Json>>
export const refused = (message: string): Refused => ({ ok: false, error: { status: 400, message } })

/**
 * Tensors of the arguments by name, or how the call fails. Names that end in ? may be missing; the last list
 * has the names of what is no tensor.
 */
export function tensorArgs(
  api: string,
  args: Args,
  names: readonly string[],
  others: readonly string[],
): (Tensor | null)[] | Refused {
  const unknown = Object.keys(args).find(
    (name) => !names.includes(name) && !names.includes(`${name}?`) && !others.includes(name),
  )
  if (unknown !== undefined) return refused(`${api}() got an unexpected keyword argument '${unknown}'`)
  const tensors: (Tensor | null)[] = []
  for (const wanted of names) {
    const optional = wanted.endsWith('?')
    const name = optional ? wanted.slice(0, -1) : wanted
    const value = args[name]
    const missing = value === undefined || value === null
    const tensor = missing ? null : asTensor(value)
    if (!tensor && !(missing && optional))
      return refused(
        `${api}(): argument '${name}' must be Tensor, not ${missing ? 'None' : Array.isArray(value) ? 'list' : typeof value}`,
      )
    tensors.push(tensor)
  }
  return tensors
}

/** The transition of a call that has these effects. `many`: the output is a list. */
export function transition(
  world: TensorWorld,
  api: string,
  effects: Effects,
  many = false,
): Transition<TensorWorld> {
  if (!effects.ok) return effects
  const { inputs, makes } = effects
  const { dtype } = inputs[0] ?? { dtype: 'float32' }
  const other = inputs.find((input) => input.dtype !== dtype)
  if (other)
    return refused(`expected all tensors to have the same dtype, but got ${dtype} and ${other.dtype}`)
  const success = (outputs: Tensor[], after: TensorWorld): Transition<TensorWorld> => {
    const values = outputs.map((tensor): Json => ({ $tensor: asJson(tensor) }))
    return { ok: true, world: after, output: many ? values : values[0], affects: [], reads: [] }
  }
  if (inputs.every(({ data }) => data !== undefined)) {
    if (dtype !== 'float32') return refused(`the reference evaluation knows float32 only, not ${dtype}`)
    const byTensor = new Map<Tensor, Elements>()
    const elementsOf = (tensor: Tensor) => {
      const elements = byTensor.get(tensor) ?? load(tensor)
      byTensor.set(tensor, elements)
      return elements
    }
    const outputs = makes.map(({ values }) => store(values(elementsOf)).$tensor)
    return success(outputs, world)
  }
  const facts = inputs.map((input) => factsOf(world, input))
  const longest = facts.reduce((a, b) => (b.history.length > a.history.length ? b : a))
  const usual = {
    magnitude: Math.max(...facts.map(({ magnitude }) => magnitude)),
    history: [...longest.history, api],
  }
  const products = makes.map(({ shape, symbol }) => {
    const { of, ...more } = symbol()
    return { tensor: { dtype, shape, of }, facts: { name: of, ...usual, ...more } }
  })
  const tensors = [...products.map((one) => one.facts), ...world.tensors]
  return success(
    products.map(({ tensor }) => tensor),
    { ...world, tensors },
  )
}

export const isMoved = (order: readonly number[]) => order.some((dim, n) => dim !== n)

/**
 * A tensor with its dimensions in another order. Dimensions of size 1 move nothing, and orders of orders are
 * one.
 */
export function reordered(world: TensorWorld, input: Tensor, order: readonly number[]): Symbolic {
  const { view, contiguous } = factsOf(world, input)
  const base = view ?? { of: nameOf(input), shape: input.shape, dims: input.shape.map((_, n) => n) }
  const dims = order.map((dim) => base.dims[dim] as number)
  const shape = dims.map((dim) => base.shape[dim] as number)
  const telling = dims.filter((dim) => base.shape[dim] !== 1)
  const moves = telling.some((dim, n) => n > 0 && dim < (telling[n - 1] as number))
  const same = !moves && shape.every((size, n) => size === base.shape[n])
  return {
    of: same ? base.of : digest(`order ${base.of} ${telling.join()} ${shape.join()}`),
    contiguous: contiguous && !moves,
    view: { ...base, dims },
  }
}

/** A part of a tensor; all of it is the tensor itself. */
export function part(world: TensorWorld, input: Tensor, dim: number, from: number, length: number): Symbolic {
  const { contiguous } = factsOf(world, input)
  const of = nameOf(input)
  if (length === input.shape[dim]) return { of, contiguous }
  const outer = input.shape.slice(0, dim).every((one) => one === 1)
  return {
    of: digest(`part ${of} ${dim} ${from} ${length}`),
    contiguous: outer && contiguous,
    slice: { of, shape: input.shape, dim, from, length },
  }
}

/** Tensors one after the other; the parts of one tensor in their order are a part of it again. */
export function joined(world: TensorWorld, inputs: readonly Tensor[], dim: number): Symbolic {
  const [only] = inputs
  if (inputs.length === 1) return { of: nameOf(only as Tensor), contiguous: true }
  const slices = inputs.map((input) => factsOf(world, input).slice)
  const [first] = slices
  const follows = slices.every((slice, n) => {
    const before = slices[n - 1]
    return (
      slice?.dim === dim && slice.of === first?.of && (!before || slice.from === before.from + before.length)
    )
  })
  if (!first || !follows)
    return { of: digest(`joined ${dim} ${inputs.map(nameOf).join()}`), contiguous: true }
  const whole: Tensor = { dtype: 'float32', shape: first.shape, of: first.of }
  const length = slices.reduce((sum, slice) => sum + (slice?.length ?? 0), 0)
  return { ...part(world, whole, dim, first.from, length), contiguous: true }
}

/** A short name of a text: two sums of 32 bits. Programs have hundreds of tensors, not millions. */
export function digest(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return `${(b >>> 0).toString(36)}.${(a >>> 0).toString(36)}`
}
