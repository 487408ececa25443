/** What a program can name: items that calls have shown, places, and bodies of its variables. */
import {
  type Expr,
  isRecord,
  type JsonObject,
  type JsonValue,
  type VariableReference,
} from '@stateeval/contracts'
import {
  createRef,
  evaluate,
  readPath,
  type ScopeBinding,
  type TraceScope,
  type ValuePath,
} from '@stateeval/program'
import { findParents, getIdentity, getPathValue, type ModelItem } from '@stateeval/world-model'
import type { ScenarioPlan } from './plan.ts'
import { hideServerValues, type TrackedWorld } from './world.ts'

export type Scope = TraceScope<TrackedWorld>
export type Arguments = Record<string, Expr>

/** A collection as a program names it: the ids of the items above, the outermost first, and the place. */
export interface NamedPlace {
  parents: readonly Expr[]
  place: Readonly<Record<string, Expr>>
}
export interface NamedItem extends NamedPlace {
  item: ModelItem
  id: Expr
  /** The program's copy, where a call answered the whole item. */
  copy?: { reference: VariableReference; value: JsonObject }
}

export const evaluateArguments = (bindings: readonly ScopeBinding[], args: Readonly<Arguments>) => {
  const read = ({ variable, path }: VariableReference) =>
    readPath(bindings.find(({ name }) => name === variable)?.value, path)
  return Object.fromEntries(
    Object.entries(args).map(([name, expr]) => [name, evaluate(expr, read) as JsonValue]),
  )
}

/** The live items of a type that calls have shown, each by the newest output that shows it and the oldest. */
export function listKnownItems(plan: ScenarioPlan, scope: Scope, type: string): NamedItem[] {
  const newest = new Map<number, NamedItem>()
  const oldest = new Map<number, NamedItem>()
  for (const binding of scope.bindings)
    for (const named of listShownItems(plan, scope, binding, type)) {
      if (!oldest.has(named.item.key)) oldest.set(named.item.key, named)
      newest.set(named.item.key, named)
    }
  return [...newest.values(), ...[...oldest.values()].filter((one) => newest.get(one.item.key) !== one)]
}

function listShownItems(plan: ScenarioPlan, scope: Scope, binding: ScopeBinding, type: string): NamedItem[] {
  const form = binding.api === undefined ? undefined : plan.byId.get(binding.api)
  if (!form || form.operation.type !== type || !binding.call || form.operation.answer.told) return []
  const { operation } = form
  const values = evaluateArguments(scope.bindings, binding.call.args)
  const above = findParents(plan.model, scope.world.state, operation, values)
  if (!above) return []
  const at = operation.answer.at ?? []
  const shown = getPathValue(binding.value, at)
  const one = (value: JsonValue, path: ValuePath): NamedItem[] => {
    const id = isRecord(value) ? value[form.type.identity.field] : undefined
    const item = scope.world.state.items.find(
      (other) =>
        other.type === type &&
        other.parent === (above[0]?.key ?? null) &&
        id !== undefined &&
        getIdentity(plan.model, other) === id,
    )
    if (!item || !isRecord(value)) return []
    const part = (key: string) => createRef(binding.name, ...path, key)
    const isWhole = operation.answer.only === undefined
    return [
      {
        item,
        id: part(form.type.identity.field),
        parents: form.parents.map((name) => binding.call!.args[name]!),
        place: Object.fromEntries(
          form.place.map((name) => [name, name in value ? part(name) : binding.call!.args[name]!]),
        ),
        ...(isWhole && { copy: { reference: createRef(binding.name, ...path), value } }),
      },
    ]
  }
  return Array.isArray(shown)
    ? shown.flatMap((value, index) => one(value, [...at, index]))
    : shown === undefined
      ? []
      : one(shown, at)
}

/** The item as its copies show it now. */
export const isCurrentCopy = ({ copy, item }: NamedItem) =>
  copy !== undefined &&
  Object.entries(copy.value).every(
    ([name, value]) => JSON.stringify(hideServerValues(item.values[name] ?? null)) === JSON.stringify(value),
  )
