/** Places, items and bodies that a program names without a call, by its variables. */
import { isRecord, type JsonObject, type JsonValue, type VariableReference } from '@stateeval/contracts'
import { createRef } from '@stateeval/program'
import { findParents, getIdentity } from '@stateeval/world-model'
import {
  type Arguments,
  evaluateArguments,
  listKnownItems,
  type NamedItem,
  type NamedPlace,
  type Scope,
} from './known.ts'
import { type OperationPlan, type ScenarioPlan, toIdKey } from './plan.ts'

export interface NamedBody {
  reference: VariableReference
  value: JsonValue
}

/** The user's variables: those of the initialisation block. */
export const listUserBindings = ({ bindings }: Scope) =>
  bindings.flatMap(({ api, name, value }) => (api === undefined && isRecord(value) ? [{ name, value }] : []))

/** Items that the user's variables name: their ids are chosen by clients. */
export function listUserItems(plan: ScenarioPlan, scope: Scope, form: OperationPlan): NamedItem[] {
  const key = toIdKey(form.operation.type)
  return listUserBindings(scope).flatMap(({ name, value }) => {
    const place = namePlace(plan, form, name, value)
    if (!place || value[key] === undefined) return []
    const args = toPlaceArguments(form, place)
    const above = findParents(
      plan.model,
      scope.world.state,
      form.operation,
      evaluateArguments(scope.bindings, args),
    )
    const item = scope.world.state.items.find(
      (other) =>
        other.type === form.operation.type &&
        other.parent === (above?.[0]?.key ?? null) &&
        getIdentity(plan.model, other) === value[key],
    )
    return item ? [{ item, id: createRef(name, key), ...place }] : []
  })
}

/** The place that a user variable names, if it names all of it. */
export function namePlace(
  { above }: ScenarioPlan,
  { place, operation: { type }, parents }: OperationPlan,
  name: string,
  value: JsonObject,
): NamedPlace | null {
  const keys = above[type]!.slice(-parents.length || Infinity).map(toIdKey)
  if (![...place, ...keys].every((key) => value[key] !== undefined)) return null
  return {
    parents: keys.map((key) => createRef(name, key)),
    place: Object.fromEntries(place.map((key) => [key, createRef(name, key)])),
  }
}

/** The collections in which a call of an operation may act. */
export function listPlaces(plan: ScenarioPlan, scope: Scope, form: OperationPlan): NamedPlace[] {
  if (form.parents.length === 0 && form.place.length === 0) return [{ parents: [], place: {} }]
  const users = listUserBindings(scope).flatMap(({ name, value }) => namePlace(plan, form, name, value) ?? [])
  const parent = form.type.parent
  if (parent === undefined || form.place.length > 0) return users
  const known = listKnownItems(plan, scope, parent).map(({ parents, id }) => ({
    parents: [...parents, id],
    place: {},
  }))
  return [...users, ...known.filter(({ parents }) => parents.length === form.parents.length)]
}

export const toPlaceArguments = (form: OperationPlan, { parents, place }: NamedPlace): Arguments => ({
  ...Object.fromEntries(form.parents.map((name, at) => [name, parents[at]!])),
  ...place,
})

/** Bodies for an operation: of the user's variables, and a part of a copy where the body is one field. */
export function listBodies(plan: ScenarioPlan, scope: Scope, form: OperationPlan): NamedBody[] {
  const key = plan.bodyKeys[form.operation.type]!
  const users = listUserBindings(scope).flatMap(({ name, value }) =>
    value[key] === undefined ? [] : [{ reference: createRef(name, key), value: value[key] }],
  )
  const field = form.operation.content?.at?.[0]
  if (field === undefined || form.body!.at.length > 0) return users
  const copies = listKnownItems(plan, scope, form.operation.type).flatMap(({ copy }) => {
    const value = copy?.value[field]
    return value === undefined
      ? []
      : [{ reference: createRef(copy!.reference.variable, ...copy!.reference.path, field), value }]
  })
  return [...users, ...copies]
}
