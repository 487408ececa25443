/** Computes what calls make of initial tensors, as elements: no tensor is written down on the way. */
import { asJson, type Call, type Expr, type Json, type Reference } from '@stateeval/contracts'
import { at, evaluate } from '@stateeval/program'
import { operations } from './operations/index.ts'
import type { Elements } from './reference/array.ts'
import { asTensor, openWorld, type Tensor } from './state.ts'

/**
 * The elements of what a reference stands for after these calls, from those of variables. Throws where a call
 * fails: calls of drafts succeed.
 */
export function elementsAfter(
  calls: readonly Call[],
  variables: ReadonlyMap<string, Elements>,
  asked: Reference,
): Elements {
  const elements = new Map<Tensor, Elements>()
  const elementsOf = (tensor: Tensor) => elements.get(tensor) as Elements
  const describe = (made: Elements): Json => {
    const tensor: Tensor = { dtype: 'float32', shape: made.shape }
    elements.set(tensor, made)
    return { $tensor: asJson(tensor) }
  }
  const values = new Map<string, Json>()
  for (const [name, made] of variables) values.set(name, describe(made))
  const read = ({ variable, path }: Reference) => at(values.get(variable), path)

  const world = openWorld(null)
  for (const { api, args: exprs, binds } of calls) {
    const args: Record<string, Json> = {}
    for (const name of Object.keys(exprs)) args[name] = evaluate(exprs[name] as Expr, read) as Json
    const effects = operations.find(({ id }) => id === api)?.effects(world, args)
    if (!effects?.ok) throw new Error(`a draft fails on values: ${effects?.error.message ?? `no API ${api}`}`)
    const outputs = effects.makes.map((make) => describe(make.values(elementsOf)))
    if (binds) values.set(binds, effects.isList ? outputs : (outputs[0] as Json))
  }
  const tensor = asTensor(read(asked))
  if (!tensor) throw new Error('a condition reads an element of a value that is not a tensor')
  return elementsOf(tensor)
}
