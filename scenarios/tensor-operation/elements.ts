/** Computes the elements that calls make of initial tensors, without writing tensors in between. */
import { toJson, type Call, type Expr, type JsonValue, type VariableReference } from '@stateeval/contracts'
import { readPath, evaluate } from '@stateeval/program'
import { operations } from './operations/index.ts'
import type { ElementArray } from './reference/array.ts'
import { toStateTensor, openWorld, type StateTensor } from './state.ts'

/**
 * The elements of what a reference stands for after these calls, from those of variables. Throws where a call
 * fails: calls of drafts succeed.
 */
export function computeElements(
  calls: readonly Call[],
  variables: ReadonlyMap<string, ElementArray>,
  asked: VariableReference,
): ElementArray {
  const elements = new Map<StateTensor, ElementArray>()
  const elementsOf = (tensor: StateTensor) => elements.get(tensor) as ElementArray
  const describe = (made: ElementArray): JsonValue => {
    const tensor: StateTensor = { dtype: 'float32', shape: made.shape }
    elements.set(tensor, made)
    return { $tensor: toJson(tensor) }
  }
  const values = new Map<string, JsonValue>()
  for (const [name, made] of variables) values.set(name, describe(made))
  const read = ({ variable, path }: VariableReference) => readPath(values.get(variable), path)

  const world = openWorld(null)
  for (const { api, args: exprs, binds } of calls) {
    const args: Record<string, JsonValue> = {}
    for (const name of Object.keys(exprs)) args[name] = evaluate(exprs[name] as Expr, read) as JsonValue
    const effects = operations.find(({ id }) => id === api)?.effects(world, args)
    if (!effects?.ok) throw new Error(`a draft fails on values: ${effects?.error.message ?? `no API ${api}`}`)
    const outputs = effects.makes.map((make) => describe(make.values(elementsOf)))
    if (binds) values.set(binds, effects.isList ? outputs : (outputs[0] as JsonValue))
  }
  const tensor = toStateTensor(read(asked))
  if (!tensor) throw new Error('a condition reads an element of a value that is not a tensor')
  return elementsOf(tensor)
}
