/** The tensors that a program can name now, and candidates from them. */
import type { Call, Expr, FunctionCall, Json, Reference } from '@stateeval/contracts'
import { type Binding, type Candidate, type Phrase, ref, remembered, type Rng, type Scope } from '@stateeval/program'
import type { Args, Effects } from './effects.ts'
import { asTensor, isWeightName, nameOf, scaledSeed, type Tensor, type TensorWorld } from './state.ts'

/** A tensor with how the program names it. */
export interface Handle {
  reference: Reference
  tensor: Tensor
  /** How readily it is what a call works on: what no call has used yet comes first. */
  weight: number
  /** A weight or bias, which calls work with and not on. */
  parameter: boolean
  value: Json
}
export interface Known {
  handles: readonly Handle[]
  /** Lists of tensors that have not been taken apart: what split gave. */
  lists: readonly { reference: Reference; value: Json; tensors: readonly Tensor[] }[]
  /** The tensors by what they are. */
  keys: ReadonlySet<string>
  /** What references to them stand for. */
  values: ReadonlyMap<Reference, Json>
}

const found = remembered((bindings: readonly Binding[]): Known => {
  const handles: Handle[] = []
  const lists: Known['lists'][number][] = []
  const values = new Map<Reference, Json>()
  const keys = new Set<string>()
  for (const binding of bindings) {
    for (const handle of handlesOf(binding)) {
      handles.push(handle)
      values.set(handle.reference, handle.value)
      keys.add(nameOf(handle.tensor))
    }
    const { name, value } = binding
    if (!Array.isArray(value)) continue
    const list = { reference: ref(name), value, tensors: value.flatMap((one) => asTensor(one) ?? []) }
    lists.push(list)
    values.set(list.reference, value)
  }
  return { handles, lists, keys, values }
})
export const tensorsIn = ({ bindings }: Pick<Scope<TensorWorld>, 'bindings'>): Known => found(bindings)

const isParameter = ({ name, api }: Binding) => api === undefined && (name.includes('_weight_') || name.includes('_bias_'))

function handlesOf(binding: Binding): Handle[] {
  const { name, value, api, used } = binding
  const parameter = isParameter(binding)
  const weight = api === undefined ? (used ? 1 : 4) : used ? 1 : 10
  const handles: Handle[] = []
  const add = (one: Json, at?: number) => {
    const tensor = asTensor(one)
    if (tensor) handles.push({ reference: at === undefined ? ref(name) : ref(name, at), tensor, weight, parameter, value: one })
  }
  if (Array.isArray(value)) value.forEach(add)
  else add(value)
  return handles
}

/** Candidates of one API that a state yields: more are no other programs, only more to choose from. */
export const enough = 2

/** Some of the tensors that a call may work on, the likelier first. */
export function drawInputs(all: readonly Handle[], count: number, rng: Rng): Handle[] {
  const left = all.filter(({ parameter }) => !parameter)
  const drawn: Handle[] = []
  while (drawn.length < count && left.length > 0) {
    const one = rng.weighted(left, ({ weight }) => weight)
    left.splice(left.indexOf(one), 1)
    drawn.push(one)
  }
  return drawn
}

export type Fresh = NonNullable<Candidate['introduces']>[number]

/** A fresh initial tensor: a draft, whose values are made when the program is kept. */
export const fresh = (stem: string, shape: readonly number[], rng: Rng): Fresh => ({ stem, value: draft(stem, shape, rng) })
export const draft = (name: string, shape: readonly number[], rng: Rng): Json => ({
  $tensor: {
    dtype: 'float32',
    shape: [...shape],
    seed: `${isWeightName(name) ? scaledSeed : 'tensor'}.${rng.int(0, 0x3fffffff)}.${rng.int(0, 0x3fffffff)}`,
  },
})

/** Elements larger than this are not built on: float32 ends at 2^127. */
const mostMagnitude = 60

/**
 * The candidate, if it makes something that is not there yet; null else. The equations have been solved before: what is
 * left to ask is whether the call has a point.
 */
export function candidate(
  scope: Scope<TensorWorld>,
  say: Phrase,
  effects: (world: TensorWorld, args: Args) => Effects,
  args: Readonly<Record<string, Expr>>,
  introduces: readonly Fresh[] = [],
): Candidate | null {
  const { keys, values: known } = tensorsIn(scope)
  const read = (reference: Reference) => known.get(reference) ?? introduces.find(({ stem }) => stem === reference.variable)?.value
  const values: Record<string, Json> = {}
  for (const name of Object.keys(args)) values[name] = valueOf(args[name] as Expr, read)
  const done = effects(scope.world, values)
  const { name: qualified } = say.call as FunctionCall
  const api = qualified.slice(qualified.lastIndexOf('.') + 1)
  if (!done.ok) throw new Error(`${api} solved a call that fails: ${done.error.message}`)
  for (const { symbol } of done.makes) {
    const { of, magnitude = 0 } = symbol()
    if (keys.has(of) || magnitude > mostMagnitude) return null
  }
  const call: Call = { ...(say.call as Omit<FunctionCall, 'api' | 'args'>), api, args }
  return introduces.length > 0 ? { call, consumes: [], introduces } : { call, consumes: [] }
}

function valueOf(expr: Expr, read: (reference: Reference) => Json | undefined): Json {
  if (expr.kind === 'literal') return expr.value as Json
  if (expr.kind === 'reference') return read(expr) as Json
  if (expr.kind === 'list') return expr.items.map((item) => valueOf(item, read))
  throw new Error('no argument here is an object')
}
