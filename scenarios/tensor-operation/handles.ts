/** The tensors that a program can name now, and candidates from them. */
import type { Call, Expr, FunctionCall, JsonValue, VariableReference } from '@stateeval/contracts'
import {
  type ScopeBinding,
  type PossibleCall,
  type CallPhrase,
  createRef,
  memoize,
  type RandomSource,
  scaledSeed,
  type TraceScope,
} from '@stateeval/program'
import type { TensorArguments, CallEffects } from './effects.ts'
import { toStateTensor, isWeightName, formatTensorName, type StateTensor, type TensorWorld } from './state.ts'

/** A tensor with how the program names it. */
export interface TensorHandle {
  reference: VariableReference
  tensor: StateTensor
  /** How readily it is what a call works on: what no call has used yet comes first. */
  weight: number
  /** A weight or bias, which calls work with and not on. */
  parameter: boolean
  value: JsonValue
}
/** A list of tensors that has not been taken apart: what split gave. */
interface TensorList {
  reference: VariableReference
  value: JsonValue
  tensors: readonly StateTensor[]
}
export interface KnownTensors {
  handles: readonly TensorHandle[]
  lists: readonly TensorList[]
}

export const listKnownTensors = ({ bindings }: Pick<TraceScope<TensorWorld>, 'bindings'>): KnownTensors =>
  among(bindings)

const among = memoize((bindings: readonly ScopeBinding[]): KnownTensors => {
  const handles: TensorHandle[] = []
  const lists: TensorList[] = []
  for (const binding of bindings) {
    const parts = namedBy(binding)
    for (const handle of parts.handles) handles.push(handle)
    if (parts.list) lists.push(parts.list)
  }
  return { handles, lists }
})

/** The names of one binding: most bindings outlive many steps. */
const namedBy = memoize(
  (binding: ScopeBinding): { handles: readonly TensorHandle[]; list: TensorList | null } => {
    const { name, value, api, used } = binding
    const parameter = api === undefined && (name.includes('_weight_') || name.includes('_bias_'))
    const weight = api === undefined ? (used ? 1 : 4) : used ? 1 : 10
    const handles: TensorHandle[] = []
    const add = (reference: VariableReference, one: JsonValue) => {
      const tensor = toStateTensor(one)
      if (tensor) handles.push({ reference, tensor, weight, parameter, value: one })
    }
    if (!Array.isArray(value)) {
      add(createRef(name), value)
      return { handles, list: null }
    }
    value.forEach((one, at) => add(createRef(name, at), one))
    return {
      handles,
      list: { reference: createRef(name), value, tensors: handles.map(({ tensor }) => tensor) },
    }
  },
)

/** Resolves a candidate's reference. */
function resolveMeant(
  { handles, lists }: KnownTensors,
  introduces: readonly FreshTensor[],
  reference: VariableReference,
): JsonValue {
  for (const handle of handles) if (handle.reference === reference) return handle.value
  const fresh = introduces.find(({ stem }) => stem === reference.variable)
  return fresh?.value ?? (lists.find((list) => list.reference === reference)?.value as JsonValue)
}

/** Candidates of one API that a state yields: more are no other programs, only more to choose from. */
export const enough = 2

/** Some of the tensors that a call may work on, the likelier first. */
export function drawInputs(all: readonly TensorHandle[], count: number, rng: RandomSource): TensorHandle[] {
  const rest = all.filter(({ parameter }) => !parameter)
  const picks: TensorHandle[] = []
  while (picks.length < count && rest.length > 0) {
    const one = rng.weighted(rest, ({ weight }) => weight)
    rest.splice(rest.indexOf(one), 1)
    picks.push(one)
  }
  return picks
}

export type FreshTensor = NonNullable<PossibleCall['introduces']>[number]

/** A fresh initial tensor: a draft, whose values are made when the program is kept. */
export const drawFreshTensor = (stem: string, shape: readonly number[], rng: RandomSource): FreshTensor => ({
  stem,
  value: createDraft(stem, shape, rng),
})
export const createDraft = (name: string, shape: readonly number[], rng: RandomSource): JsonValue => ({
  $tensor: {
    dtype: 'float32',
    shape: [...shape],
    seed: `${isWeightName(name) ? scaledSeed : 'tensor'}.${rng.int(0, 0x3fffffff)}.${rng.int(0, 0x3fffffff)}`,
  },
})

/** Elements larger than this are not built on: float32 ends at 2^127. */
const maxMagnitude = 60

/**
 * The candidate, if it makes something that is not there yet; null else. The equations have been solved
 * before: what is left to ask is whether the call has a point.
 */
export function createCandidate(
  scope: TraceScope<TensorWorld>,
  say: CallPhrase,
  effects: (world: TensorWorld, args: TensorArguments) => CallEffects,
  args: Readonly<Record<string, Expr>>,
  introduces: readonly FreshTensor[] = [],
): PossibleCall | null {
  const tensors = listKnownTensors(scope)
  const read = (reference: VariableReference) => resolveMeant(tensors, introduces, reference)
  const values: Record<string, JsonValue> = {}
  for (const name of Object.keys(args)) values[name] = readTensorExpr(args[name] as Expr, read)
  const outcome = effects(scope.world, values)
  const { name: qualified } = say.call as FunctionCall
  const api = qualified.slice(qualified.lastIndexOf('.') + 1)
  if (!outcome.ok) throw new Error(`${api} solved a call that fails: ${outcome.error.message}`)
  for (const { symbol } of outcome.makes) {
    const { of, magnitude = 0 } = symbol()
    if (magnitude > maxMagnitude || tensors.handles.some(({ tensor }) => formatTensorName(tensor) === of))
      return null
  }
  const call: Call = { ...(say.call as Omit<FunctionCall, 'api' | 'args'>), api, args }
  return introduces.length > 0 ? { call, consumes: [], introduces } : { call, consumes: [] }
}

function readTensorExpr(expr: Expr, read: (reference: VariableReference) => JsonValue): JsonValue {
  if (expr.kind === 'literal') return expr.value as JsonValue
  if (expr.kind === 'reference') return read(expr)
  if (expr.kind === 'list') return expr.items.map((item) => readTensorExpr(item, read))
  throw new Error('no argument here is an object')
}
