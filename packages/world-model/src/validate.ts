/** Validation of a model from outside: its schema, then what its parts say of each other. */
import {
  findSchemaFault,
  type JsonValue,
  mostLevels,
  findDeepMember,
  type SchemaFault,
} from '@stateeval/contracts'
import { listOperations, WorldModel, type WorldOperation, type WorldType } from './model.ts'
import { formatPointer, getPathValue, parsePointer } from './pointer.ts'

const deepestParents = 8

/** The first fault of a value as a model, with its place; null if it is one. */
export function findModelFault(value: unknown): SchemaFault | null {
  const deep = findDeepMember(value)
  if (deep !== null) return { field: deep, says: `has more than ${mostLevels} levels` }
  const fault = findSchemaFault(WorldModel, value)
  if (fault) return fault
  const model = value as WorldModel
  return (
    findFirst(Object.entries(model.types), ([name, type]) => findTypeFault(model, name, type)) ??
    findFirst(listOperations(model), ([id, operation]) => findOperationFault(model, id, operation)) ??
    findFactFault(model)
  )
}

function findFirst<Item>(items: readonly Item[], find: (item: Item) => SchemaFault | null) {
  for (const item of items) {
    const fault = find(item)
    if (fault) return fault
  }
  return null
}

const lacksType = (model: WorldModel, name: string | undefined) =>
  name !== undefined && !Object.hasOwn(model.types, name)
const report = (path: readonly string[], says: string): SchemaFault => ({ field: formatPointer(path), says })

function findTypeFault(model: WorldModel, name: string, type: WorldType): SchemaFault | null {
  const at = ['types', name]
  if (lacksType(model, type.parent)) return report([...at, 'parent'], `is no type: ${type.parent}`)
  if (countParents(model, name) > deepestParents)
    return report([...at, 'parent'], `has more than ${deepestParents} types above, or a circle`)
  for (const [field, { refers }] of Object.entries(type.fields))
    if (lacksType(model, refers)) return report([...at, 'fields', field, 'refers'], `is no type: ${refers}`)
  for (const [pointer, { from, field, up = 0 }] of Object.entries(type.server ?? {})) {
    if (!pointer.startsWith('/')) return report([...at, 'server', pointer], 'must be named by a JSON pointer')
    if (from === 'copy' && field === undefined)
      return report([...at, 'server', pointer], 'must name the field that it copies')
    if (from === 'parent' && countParents(model, name) <= up)
      return report([...at, 'server', pointer, 'up'], `is more than the types above: ${up}`)
  }
  return null
}

/** The number of types above; infinite in a circle. */
function countParents(model: WorldModel, name: string): number {
  const seen = new Set<string>()
  for (let type: string | undefined = name; type !== undefined; type = model.types[type]?.parent) {
    if (seen.has(type)) return Number.POSITIVE_INFINITY
    seen.add(type)
  }
  return seen.size - 1
}

/** Arguments that an operation declares, by role. */
function listArguments(
  { parents = [], target, content, filters = {}, search, request }: WorldOperation,
  type: WorldType,
) {
  const searched = search?.by === 'field' ? [search.field, search.value] : search ? [search.filter] : []
  const own = [
    ...parents,
    ...(type.place ?? []),
    ...(target === undefined ? [] : [target]),
    ...(content ? [content.argument] : []),
    ...Object.keys(filters),
    ...searched,
  ]
  const sent =
    request.kind === 'http'
      ? [
          ...listPathNames(request.path),
          ...(request.query ?? []),
          ...(request.body ? [request.body.argument] : []),
        ]
      : own
  return { own, sent }
}

export const listPathNames = (path: string) => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!)

/** Effects that name an item. */
const onItem = new Set(['read', 'update', 'replace', 'delete'])

function findOperationFault(model: WorldModel, id: string, operation: WorldOperation): SchemaFault | null {
  const at = ['operations', id]
  if (lacksType(model, operation.type)) return report([...at, 'type'], `is no type: ${operation.type}`)
  const type = model.types[operation.type]!
  const above = countParents(model, operation.type)
  if ((operation.parents?.length ?? 0) !== above)
    return report([...at, 'parents'], `must name one argument for each of the ${above} types above`)
  const { own, sent } = listArguments(operation, type)
  const twice = own.find((name, index) => own.indexOf(name) !== index)
  if (twice !== undefined) return report(at, `has two roles for the argument ${twice}`)
  const missing = own.find((name) => !sent.includes(name))
  if (missing !== undefined) return report([...at, 'request'], `does not send the argument ${missing}`)
  const idle = listPathNames(operation.request.kind === 'http' ? operation.request.path : '').find(
    (name) => !own.includes(name),
  )
  if (idle !== undefined) return report([...at, 'request', 'path'], `has an argument without a role: ${idle}`)
  if (onItem.has(operation.effect) && operation.target === undefined)
    return report([...at, 'target'], `is missing: ${operation.effect} needs an item`)
  if (operation.effect === 'search' && !operation.search)
    return report([...at, 'search'], 'is missing: a search needs its rule')
  if (['update', 'replace'].includes(operation.effect) && !operation.content)
    return report([...at, 'content'], `is missing: ${operation.effect} needs fields`)
  const isList = ['list', 'search', 'delete-many'].includes(operation.effect)
  if (operation.answer.is === (isList ? 'item' : 'list'))
    return report([...at, 'answer', 'is'], `does not fit the effect ${operation.effect}`)
  for (const [n, refusal] of (operation.refuses ?? []).entries()) {
    const needs = ['given', 'object', 'listed', 'long', 'name'].includes(refusal.unless)
    if (needs !== (refusal.argument !== undefined))
      return report([...at, 'refuses', String(n), 'argument'], needs ? 'is missing' : 'has no meaning here')
    const [root = ''] = (refusal.argument ?? '').split('.')
    if (needs && !own.includes(root))
      return report([...at, 'refuses', String(n), 'argument'], `is no argument of the operation: ${root}`)
    const field = type.fields[(refusal.argument ?? '').split('.').at(-1) ?? '']
    if (refusal.unless === 'listed' && refusal.values === undefined && field?.enum === undefined)
      return report([...at, 'refuses', String(n), 'values'], 'are missing, and the field has no enum')
  }
  return null
}

/** Statements need a reason: their own, or one of a part that holds them. */
function findFactFault(model: WorldModel): SchemaFault | null {
  for (const pointer of Object.keys(model.facts)) {
    const path = parsePointer(pointer)
    if (pointer !== '' && (!pointer.startsWith('/') || path[0] === 'facts'))
      return report(['facts', pointer], 'must be named by a JSON pointer into types or operations')
    if (getPathValue(model as unknown as JsonValue, path) === undefined)
      return report(['facts', pointer], 'points to nothing')
  }
  const groups = ['types', 'operations'] as const
  for (const group of groups)
    for (const name of Object.keys(model[group]))
      if (findFact(model, [group, name]) === null) return report([group, name], 'has no reason in facts')
  return null
}

/** The reason of a place: its own, or that of the nearest part around it. */
export function findFact({ facts }: WorldModel, path: readonly string[]) {
  for (let length = path.length; length >= 0; length--) {
    const pointer = formatPointer(path.slice(0, length))
    if (Object.hasOwn(facts, pointer)) return facts[pointer]!
  }
  return null
}
