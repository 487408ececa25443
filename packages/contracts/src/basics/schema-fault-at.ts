/**
 * Finds the fault of a value that does not fit its schema, by walking down both. A validator's list names
 * every alternative of every union and ends after eight errors, so it often misses the intended one.
 */
import { isRecord } from './is-record.ts'
import { checkCompiled } from './compiled-check.ts'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import type { SchemaFault } from './schema-fault.ts'

interface SchemaNode {
  type?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: SchemaNode[]
  properties?: Record<string, SchemaNode>
  patternProperties?: Record<string, SchemaNode>
  additionalProperties?: boolean | SchemaNode
  propertyNames?: SchemaNode
  required?: string[]
  items?: SchemaNode
  maxItems?: number
  maxProperties?: number
}
type ObjectMembers = Record<string, unknown>

/** The deepest fault: a value that fits down to this point was meant for this alternative. */
export function findDeepestFault(schema: TSchema, value: unknown, field: string): SchemaFault {
  const node = schema as SchemaNode
  if (value === undefined)
    return {
      field,
      says: field === '' ? 'is missing: send a JSON body with content-type application/json' : 'is missing',
    }
  if (node.anyOf) return findUnionFault(node.anyOf, value, field)
  if (!hasType(node, value)) return { field, says: `must be ${describeChoices(node)}` }
  const tooMany = findSizeFault(node, value)
  if (tooMany !== null) return { field, says: tooMany }
  const [first, ...rest] = collectInnerFaults(node, value, field)
  if (first) return rest.reduce((a, b) => (countLevels(b) > countLevels(a) ? b : a), first)
  return (isRecord(value) ? findMemberFault(node, value, field) : null) ?? findOwnFault(node, value, field)
}
const checkNode = (node: SchemaNode, value: unknown) => Check(node as TSchema, value)
const countLevels = ({ field }: SchemaFault) => field.split('/').length
const escapePointerKey = (key: string) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Whoever sends many faults mends them one by one: looking at each of a million would block the process. */
const maxFaults = 8

/** Counts are checked before any of too many elements is. */
function findSizeFault({ maxItems, maxProperties }: SchemaNode, value: unknown): string | null {
  if (Array.isArray(value))
    return maxItems !== undefined && value.length > maxItems
      ? `must not have more than ${maxItems} items`
      : null
  return maxProperties !== undefined && isRecord(value) && Object.keys(value).length > maxProperties
    ? `must not have more than ${maxProperties} properties`
    : null
}

/** Number of elements from which on a compiled check is worth its cost. */
const manyElements = 100

/** The first faults of members and elements. */
function collectInnerFaults(node: SchemaNode, value: unknown, field: string): SchemaFault[] {
  const faults: SchemaFault[] = []
  const isLong = Array.isArray(value) && value.length > manyElements
  const look = (inner: SchemaNode | undefined, item: unknown, key: string | number) => {
    if (!inner || (isLong ? checkCompiled(inner, item) : checkNode(inner, item))) return
    faults.push(findDeepestFault(inner, item, field + escapePointerKey(String(key))))
  }
  if (Array.isArray(value)) {
    for (let n = 0; n < value.length && faults.length < maxFaults; n++) look(node.items, value[n], n)
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) {
      if (faults.length === maxFaults) break
      look(getMemberSchema(node, key), value[key], key)
    }
  }
  return faults
}
function getMemberSchema(
  { properties = {}, patternProperties = {}, additionalProperties }: SchemaNode,
  key: string,
): SchemaNode | undefined {
  if (Object.hasOwn(properties, key)) return properties[key]
  const pattern = Object.keys(patternProperties).find((text) => new RegExp(text, 'u').test(key))
  if (pattern !== undefined) return patternProperties[pattern]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** A member that is missing, or one too many. */
function findMemberFault(node: SchemaNode, value: ObjectMembers, field: string): SchemaFault | null {
  const missing = node.required?.find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return { field: field + escapePointerKey(missing), says: 'is missing' }
  const misnamed =
    node.propertyNames && Object.keys(value).find((key) => !checkNode(node.propertyNames as SchemaNode, key))
  if (misnamed !== undefined)
    return {
      field: field + escapePointerKey(misnamed),
      says: `has a name that ${findOwnFault(node.propertyNames as SchemaNode, misnamed, '').says}`,
    }
  const unknown =
    node.additionalProperties === false && Object.keys(value).find((key) => !getMemberSchema(node, key))
  return unknown === false || unknown === undefined
    ? null
    : { field: field + escapePointerKey(unknown), says: 'is unknown; remove it or check its spelling' }
}

/**
 * That of the nearest alternative: its literals are the value's, else its type is, otherwise the message
 * names all alternatives.
 */
function findUnionFault(alternatives: readonly SchemaNode[], value: unknown, field: string): SchemaFault {
  const flat = alternatives.flatMap((node) => node.anyOf ?? [node])
  const near = flat.filter(
    (node) => node.const === undefined && node.enum === undefined && hasType(node, value),
  )
  if (near.length === 0) return { field, says: `must be ${joinAlternatives(describeNearest(flat, value))}` }
  const nearFaults = near.map((node) => ({
    fault: findDeepestFault(node as TSchema, value, field),
    ...countLiterals(node, value),
  }))
  const likelyFaults = nearFaults.filter(({ unequal }) => unequal.length === 0)
  if (likelyFaults.length === 0) {
    const [key] = nearFaults[0]?.unequal ?? []
    const allowedValues = near.flatMap(({ properties }) =>
      key !== undefined && properties?.[key] ? listChoices(properties[key]) : [],
    )
    return {
      field: field + escapePointerKey(key as string),
      says: `must be ${joinAlternatives(allowedValues)}`,
    }
  }
  return likelyFaults.reduce((a, b) =>
    b.equal > a.equal || (b.equal === a.equal && countLevels(b.fault) > countLevels(a.fault)) ? b : a,
  ).fault
}
/** How many members are the literals that an alternative has for them, and which are not. */
function countLiterals(
  { properties = {} }: SchemaNode,
  value: unknown,
): { equal: number; unequal: string[] } {
  const fixed = isRecord(value)
    ? Object.keys(properties).filter((key) => 'const' in properties[key]! && Object.hasOwn(value, key))
    : []
  const unequal = fixed.filter((key) => (value as ObjectMembers)[key] !== properties[key]?.const)
  return { equal: fixed.length - unequal.length, unequal }
}
/**
 * A text that is no literal of the union's wants the literals told; anything else, all that may stand there.
 */
const describeNearest = (flat: readonly SchemaNode[], value: unknown) => {
  const ofType = flat.filter((node) => hasType(node, value))
  return (ofType.length > 0 ? ofType : flat).flatMap(listChoices)
}

/** Bounds, patterns and the like, in the validator's words. */
function findOwnFault(node: SchemaNode, value: unknown, field: string): SchemaFault {
  if (node.const !== undefined || node.enum) return { field, says: `must be ${describeChoices(node)}` }
  const [error] = Errors(node as TSchema, value) as {
    instancePath: string
    message: string
    keyword: string
    params: ObjectMembers
  }[]
  if (error?.keyword === 'minLength' && value === '') return { field, says: 'must not be empty' }
  if (error?.keyword === 'format') return { field, says: `must be a ${String(error.params['format'])}` }
  const hint = error?.keyword === 'pattern' && node.description !== undefined ? `: ${node.description}` : ''
  return {
    field: field + (error?.instancePath ?? ''),
    says: `${error?.message ?? 'does not fit the contract'}${hint}`,
  }
}

function hasType({ type }: SchemaNode, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    default:
      return type === undefined || typeof value === type
  }
}
const describeChoices = (node: SchemaNode) => joinAlternatives(listChoices(node))
function listChoices({ const: only, enum: some, anyOf, type = 'something else' }: SchemaNode): string[] {
  if (only !== undefined) return [JSON.stringify(only)]
  if (some) return some.map((word) => JSON.stringify(word))
  if (anyOf) return anyOf.flatMap(listChoices)
  if (type === 'null') return [type]
  return [type === 'integer' ? 'a whole number' : /^[aeo]/.test(type) ? `an ${type}` : `a ${type}`]
}
function joinAlternatives(all: readonly string[]): string {
  const values = [...new Set(all)]
  return values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')
}
