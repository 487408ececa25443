/**
 * From equations to transitions: an output is computed where all values are available, otherwise named by its
 * inputs.
 */
import { toJson, type JsonValue } from '@stateeval/contracts'
import type { ScenarioOperation, CallTransition } from '@stateeval/program'
import { load, store, type ElementArray } from './reference/array.ts'
import { toStateTensor, readFacts, type StateTensor, type TensorWorld } from './state.ts'
import type { SymbolicTensor } from './symbols.ts'

/** One tensor that a call makes. */
export interface TensorEffect {
  shape: readonly number[]
  /** Its symbol, derived from those of its inputs. */
  symbol: () => SymbolicTensor
  values: (elementsOf: (tensor: StateTensor) => ElementArray) => ElementArray
}

/**
 * The effects of a call: the tensors that it takes and makes, one or a list; or the error that PyTorch
 * raises.
 */
export type CallEffects =
  | { ok: true; inputs: readonly StateTensor[]; makes: readonly TensorEffect[]; isList?: boolean }
  | TensorRefusal
interface TensorRefusal {
  ok: false
  error: { status: number; message: string }
}
export type TensorArguments = Readonly<Record<string, JsonValue>>

/** An API of tensors. */
export interface TensorOperation extends ScenarioOperation<TensorWorld> {
  effects(world: TensorWorld, args: TensorArguments): CallEffects
}
export const refuseEffect = (spell: () => string): TensorRefusal => ({
  ok: false,
  error: new CallError(spell),
})

/** Spelled where somebody reads it. */
class CallError {
  readonly status = 400
  private readonly spell: () => string

  constructor(spell: () => string) {
    this.spell = spell
  }
  get message(): string {
    return this.spell()
  }
}

/** The parameters of a function: required tensors, optional tensors, and parameters that are no tensors. */
interface FunctionParameters {
  needed: readonly string[]
  optional?: readonly string[]
  others: readonly string[]
}

/**
 * Tensors of the arguments in the order of these parameters, null where one is missing, or how the call
 * fails.
 */
export function listTensorArguments(
  api: string,
  args: TensorArguments,
  { needed, optional = [], others }: FunctionParameters,
): (StateTensor | null)[] | TensorRefusal {
  for (const name of Object.keys(args))
    if (!needed.includes(name) && !others.includes(name) && !optional.includes(name))
      return refuseEffect(() => `${api}() got an unexpected keyword argument '${name}'`)
  const tensors: (StateTensor | null)[] = []
  for (const name of needed) {
    const tensor = toStateTensor(args[name])
    if (!tensor) return refuseNoTensor(api, name, args[name])
    tensors.push(tensor)
  }
  for (const name of optional) {
    const value = args[name]
    const tensor = toStateTensor(value)
    if (!tensor && value !== undefined && value !== null) return refuseNoTensor(api, name, value)
    tensors.push(tensor)
  }
  return tensors
}

const refuseNoTensor = (api: string, name: string, value: JsonValue | undefined): TensorRefusal =>
  refuseEffect(() => {
    const kindName =
      value === undefined || value === null ? 'None' : Array.isArray(value) ? 'list' : typeof value
    return `${api}(): argument '${name}' must be Tensor, not ${kindName}`
  })

/** The transition of a call that has these effects. */
export function applyEffects(world: TensorWorld, effects: CallEffects): CallTransition<TensorWorld> {
  if (!effects.ok) return effects
  const { inputs, makes, isList = false } = effects
  const { dtype } = inputs[0] ?? { dtype: 'float32' }
  const other = inputs.find((input) => input.dtype !== dtype)
  if (other)
    return refuseEffect(
      () => `expected all tensors to have the same dtype, but got ${dtype} and ${other.dtype}`,
    )
  if (inputs.every(({ data }) => data !== undefined))
    return dtype === 'float32'
      ? createSuccess(world, computeEffects(makes), isList)
      : refuseEffect(() => `the reference evaluation supports only float32, not ${dtype}`)
  let largest = -Infinity
  for (const input of inputs) largest = Math.max(largest, readFacts(world, input).magnitude)
  const outputs: StateTensor[] = []
  const tensors: TensorWorld['tensors'][number][] = []
  for (const { shape, symbol } of makes) {
    const { of, contiguous, magnitude = largest, view, slice } = symbol()
    outputs.push({ dtype, shape, of })
    tensors.push({ name: of, contiguous, magnitude, view, slice })
  }
  for (const tensor of world.tensors) tensors.push(tensor)
  return createSuccess({ elements: world.elements, tensors }, outputs, isList)
}

function createSuccess(
  world: TensorWorld,
  outputs: readonly StateTensor[],
  isList: boolean,
): CallTransition<TensorWorld> {
  const values = outputs.map((tensor): JsonValue => ({ $tensor: toJson(tensor) }))
  return { ok: true, world, output: isList ? values : values[0], affects: none, reads: none }
}
const none: readonly string[] = []

/** The tensors with their elements, where those of all inputs are available. */
function computeEffects(makes: readonly TensorEffect[]): StateTensor[] {
  const byTensor = new Map<StateTensor, ElementArray>()
  const elementsOf = (tensor: StateTensor) => {
    const elements = byTensor.get(tensor) ?? load(tensor)
    byTensor.set(tensor, elements)
    return elements
  }
  return makes.map(({ values }) => store(values(elementsOf)).$tensor)
}
