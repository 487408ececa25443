/** A model as the scenario uses it: its callable operations, and how programs name their arguments. */
import type { HttpCall, JsonValue } from '@stateeval/contracts'
import {
  getPathValue,
  hasCountedIds,
  listOperations,
  type WorldModel,
  type WorldOperation,
  type WorldType,
} from '@stateeval/world-model'

export interface OperationPlan {
  id: string
  operation: WorldOperation
  type: WorldType
  /** How every call of it looks. */
  shape: Pick<HttpCall, 'kind' | 'method' | 'path' | 'query' | 'body'>
  place: readonly string[]
  parents: readonly string[]
  search: readonly string[]
  /** Arguments that a call may leave out. */
  filters: readonly string[]
  /** The argument with the item's fields, and where in the body they are. */
  body?: { argument: string; at: readonly string[] }
}

export interface ScenarioPlan {
  model: WorldModel
  operations: readonly OperationPlan[]
  byId: ReadonlyMap<string, OperationPlan>
  /** Types from the top to the one above each type. */
  above: Readonly<Record<string, readonly string[]>>
  /** The operation that makes an item of a type. */
  creators: ReadonlyMap<string, OperationPlan>
  /** The member of a user variable that holds the body for an item of a type. */
  bodyKeys: Readonly<Record<string, string>>
  /** Whether some ids are numbers: worlds count these, so they are known. */
  hasCountedIds: boolean
}

export const toName = (text: string) => text.replaceAll(/\W+/g, '_')
/** The member of a user variable that holds an id which clients choose. */
export const toIdKey = (type: string) => `${toName(type)}_id`

export function planScenario(model: WorldModel): ScenarioPlan {
  const operations = listOperations(model).flatMap(([id, operation]) => planOperation(model, id, operation))
  const above = Object.fromEntries(
    Object.keys(model.types).map((type) => [type, listTypesAbove(model, type)]),
  )
  const creators = new Map<string, OperationPlan>()
  for (const effect of ['create', 'replace'] as const)
    for (const plan of operations) {
      const makes = plan.operation.effect === effect && (effect === 'create' || plan.operation.createsStatus)
      if (makes && !creators.has(plan.operation.type)) creators.set(plan.operation.type, plan)
    }
  return {
    model,
    operations,
    byId: new Map(operations.map((plan) => [plan.id, plan])),
    above,
    creators,
    bodyKeys: nameBodies(model),
    hasCountedIds: hasCountedIds(model),
  }
}

function planOperation(model: WorldModel, id: string, operation: WorldOperation): OperationPlan[] {
  const { request, content, search, parents = [] } = operation
  const type = model.types[operation.type]
  if (!type || request.kind !== 'http' || request.body?.media === 'form') return []
  if (!/^\/(?:[^{}]|\{\w+\})*$/.test(request.path)) return []
  const searched =
    search === undefined ? [] : search.by === 'field' ? [search.field, search.value] : [search.filter]
  const filters = Object.keys(operation.filters ?? {}).filter((name) => request.query?.includes(name))
  // What neither filters nor searches, such as a page's size, is left out of all calls.
  const query = (request.query ?? []).filter((name) => [...searched, ...filters].includes(name))
  return [
    {
      id,
      operation,
      type,
      shape: {
        kind: 'http',
        method: request.method,
        path: (model.base ?? '') + request.path,
        ...(query.length > 0 && { query }),
        ...(request.body && { body: request.body.argument }),
      },
      place: type.place ?? [],
      parents,
      search: searched,
      filters,
      ...(content && { body: { argument: content.argument, at: request.body?.at ?? [] } }),
    },
  ]
}

function listTypesAbove({ types }: WorldModel, type: string): string[] {
  const above: string[] = []
  for (let at = types[type]?.parent; at !== undefined; at = types[at]?.parent) above.unshift(at)
  return above
}

/** A body that becomes one field has that field's name, if no other type has it; else the type's. */
function nameBodies({ types, operations }: WorldModel): Record<string, string> {
  const fieldOf = (type: string) =>
    Object.values(operations).find((one) => one.type === type && one.content?.at)?.content?.at?.[0]
  const fields = Object.keys(types).map((type) => [type, fieldOf(type)] as const)
  return Object.fromEntries(
    fields.map(([type, field]) => [
      type,
      field !== undefined && fields.filter(([, other]) => other === field).length === 1
        ? field
        : toName(type),
    ]),
  )
}

/** Arguments as the model has them: the body without what wraps it. */
export function unwrapBody(
  { body }: OperationPlan,
  args: Readonly<Record<string, JsonValue>>,
): Readonly<Record<string, JsonValue>> {
  if (!body || body.at.length === 0 || args[body.argument] === undefined) return args
  const { [body.argument]: wrapped, ...others } = args
  const content = getPathValue(wrapped, body.at)
  return content === undefined ? others : { ...others, [body.argument]: content }
}
