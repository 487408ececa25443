/** The tensors that a program can name now, and candidates from them. */
import type { Call, Expr, FunctionCall, Json, Reference } from '@stateeval/contracts'
import { type Binding, type Candidate, type Phrase, ref, type Rng, type Scope } from '@stateeval/program'
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

const known = new WeakMap<readonly Binding[], Known>()

export function tensorsIn({ bindings }: Pick<Scope<TensorWorld>, 'bindings'>): Known {
  let found = known.get(bindings)
  if (!found) {
    const handles = bindings.flatMap(handlesOf)
    const lists = bindings.flatMap(({ name, value }) =>
      Array.isArray(value) ? [{ reference: ref(name), value, tensors: value.flatMap((one) => asTensor(one) ?? []) }] : [],
    )
    const values = new Map([...handles, ...lists].map(({ reference, value }) => [reference, value]))
    found = { handles, lists, keys: new Set(handles.map(({ tensor }) => nameOf(tensor))), values }
    known.set(bindings, found)
  }
  return found
}

function handlesOf({ name, value, api, used }: Binding): Handle[] {
  const parameter = api === undefined && /_(weight|bias)_/.test(name)
  const weight = api === undefined ? (used ? 1 : 4) : used ? 1 : 10
  const handle = (reference: Reference, one: Json): Handle[] => {
    const tensor = asTensor(one)
    return tensor ? [{ reference, tensor, weight, parameter, value: one }] : []
  }
  return Array.isArray(value) ? value.flatMap((one, n) => handle(ref(name, n), one)) : handle(ref(name), value)
}

/** Candidates of one API that a state yields: more are no other programs, only more to choose from. */
export const enough = 2

/** Some of the tensors that a call may work on, the likelier first. */
export function drawInputs(all: readonly Handle[], count: number, rng: Rng): Handle[] {
  let left = all.filter(({ parameter }) => !parameter)
  const drawn: Handle[] = []
  while (drawn.length < count && left.length > 0) {
    const one = rng.weighted(left, ({ weight }) => weight)
    left = left.filter((other) => other !== one)
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
  const api = (say.call as FunctionCall).name.split('.').at(-1) as string
  if (!done.ok) throw new Error(`${api} solved a call that fails: ${done.error.message}`)
  const pointless = done.makes.some(({ symbol }) => {
    const { of, magnitude = 0 } = symbol()
    return keys.has(of) || magnitude > mostMagnitude
  })
  if (pointless) return null
  const call: Call = { ...(say.call as Omit<FunctionCall, 'api' | 'args'>), api, args }
  return introduces.length > 0 ? { call, consumes: [], introduces } : { call, consumes: [] }
}

function valueOf(expr: Expr, read: (reference: Reference) => Json | undefined): Json {
  if (expr.kind === 'literal') return expr.value as Json
  if (expr.kind === 'reference') return read(expr) as Json
  if (expr.kind === 'list') return expr.items.map((item) => valueOf(item, read))
  throw new Error('no argument here is an object')
}
