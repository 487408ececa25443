/**
 * Finds the fault of a value that does not fit its schema, by walking down both. A validator's list names
 * every alternative of every union and ends after eight errors, so it often misses the intended one.
 */
import { isRecord } from './is-record.ts'
import { fitsCompiled } from './compiled-check.ts'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import type { SchemaFault } from './schema-fault.ts'

interface Node {
  type?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Node[]
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  additionalProperties?: boolean | Node
  propertyNames?: Node
  required?: string[]
  items?: Node
  maxItems?: number
  maxProperties?: number
}
type Members = Record<string, unknown>

/** The deepest fault: a value that fits down to this point was meant for this alternative. */
export function faultAt(schema: TSchema, value: unknown, field: string): SchemaFault {
  const node = schema as Node
  if (value === undefined)
    return {
      field,
      says: field === '' ? 'is missing: send a JSON body with content-type application/json' : 'is missing',
    }
  if (node.anyOf) return faultOfUnion(node.anyOf, value, field)
  if (!fitsType(node, value)) return { field, says: `must be ${words(node)}` }
  const tooMany = numberFault(node, value)
  if (tooMany !== null) return { field, says: tooMany }
  const [first, ...rest] = faultsInside(node, value, field)
  if (first) return rest.reduce((a, b) => (depth(b) > depth(a) ? b : a), first)
  return (isRecord(value) ? faultOfMembers(node, value, field) : null) ?? ownFault(node, value, field)
}
const fits = (node: Node, value: unknown) => Check(node as TSchema, value)
const depth = ({ field }: SchemaFault) => field.split('/').length
const pointer = (key: string) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Whoever sends many faults mends them one by one: looking at each of a million would block the process. */
const maxFaults = 8

/** Before anything that is too many is looked at. */
function numberFault({ maxItems, maxProperties }: Node, value: unknown): string | null {
  if (Array.isArray(value))
    return maxItems !== undefined && value.length > maxItems
      ? `must not have more than ${maxItems} items`
      : null
  return maxProperties !== undefined && isRecord(value) && Object.keys(value).length > maxProperties
    ? `must not have more than ${maxProperties} properties`
    : null
}

/** From this number of elements on, a compiled check is worth what it costs. */
const manyElements = 100

/** The first faults of members and elements. */
function faultsInside(node: Node, value: unknown, field: string): SchemaFault[] {
  const faults: SchemaFault[] = []
  const isLong = Array.isArray(value) && value.length > manyElements
  const look = (inner: Node | undefined, item: unknown, key: string | number) => {
    if (!inner || (isLong ? fitsCompiled(inner, item) : fits(inner, item))) return
    faults.push(faultAt(inner, item, field + pointer(String(key))))
  }
  if (Array.isArray(value)) {
    for (let n = 0; n < value.length && faults.length < maxFaults; n++) look(node.items, value[n], n)
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) {
      if (faults.length === maxFaults) break
      look(memberOf(node, key), value[key], key)
    }
  }
  return faults
}
function memberOf(
  { properties = {}, patternProperties = {}, additionalProperties }: Node,
  key: string,
): Node | undefined {
  if (Object.hasOwn(properties, key)) return properties[key]
  const pattern = Object.keys(patternProperties).find((text) => new RegExp(text, 'u').test(key))
  if (pattern !== undefined) return patternProperties[pattern]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** A member that is missing, or one too many. */
function faultOfMembers(node: Node, value: Members, field: string): SchemaFault | null {
  const missing = node.required?.find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return { field: field + pointer(missing), says: 'is missing' }
  const misnamed =
    node.propertyNames && Object.keys(value).find((key) => !fits(node.propertyNames as Node, key))
  if (misnamed !== undefined)
    return {
      field: field + pointer(misnamed),
      says: `has a name that ${ownFault(node.propertyNames as Node, misnamed, '').says}`,
    }
  const unknown =
    node.additionalProperties === false && Object.keys(value).find((key) => !memberOf(node, key))
  return unknown === false || unknown === undefined
    ? null
    : { field: field + pointer(unknown), says: 'is unknown; remove it or check its spelling' }
}

/**
 * That of the nearest alternative: its literals are the value's, else its type is, else all alternatives are
 * told.
 */
function faultOfUnion(alternatives: readonly Node[], value: unknown, field: string): SchemaFault {
  const flat = alternatives.flatMap((node) => node.anyOf ?? [node])
  const near = flat.filter(
    (node) => node.const === undefined && node.enum === undefined && fitsType(node, value),
  )
  if (near.length === 0) return { field, says: `must be ${either(nearWords(flat, value))}` }
  const nearFaults = near.map((node) => ({
    fault: faultAt(node as TSchema, value, field),
    ...literals(node, value),
  }))
  const likelyFaults = nearFaults.filter(({ unequal }) => unequal.length === 0)
  if (likelyFaults.length === 0) {
    const [key] = nearFaults[0]?.unequal ?? []
    const allowedValues = near.flatMap(({ properties }) =>
      key !== undefined && properties?.[key] ? choices(properties[key]) : [],
    )
    return { field: field + pointer(key as string), says: `must be ${either(allowedValues)}` }
  }
  return likelyFaults.reduce((a, b) =>
    b.equal > a.equal || (b.equal === a.equal && depth(b.fault) > depth(a.fault)) ? b : a,
  ).fault
}
/** How many members are the literals that an alternative has for them, and which are not. */
function literals({ properties = {} }: Node, value: unknown): { equal: number; unequal: string[] } {
  const fixed = isRecord(value)
    ? Object.keys(properties).filter((key) => 'const' in properties[key]! && Object.hasOwn(value, key))
    : []
  const unequal = fixed.filter((key) => (value as Members)[key] !== properties[key]?.const)
  return { equal: fixed.length - unequal.length, unequal }
}
/**
 * A text that is no literal of the union's wants the literals told; anything else, all that may stand there.
 */
const nearWords = (flat: readonly Node[], value: unknown) => {
  const ofType = flat.filter((node) => fitsType(node, value))
  return (ofType.length > 0 ? ofType : flat).flatMap(choices)
}

/** Bounds, patterns and the like, in the validator's words. */
function ownFault(node: Node, value: unknown, field: string): SchemaFault {
  if (node.const !== undefined || node.enum) return { field, says: `must be ${words(node)}` }
  const [error] = Errors(node as TSchema, value) as {
    instancePath: string
    message: string
    keyword: string
    params: Members
  }[]
  if (error?.keyword === 'minLength' && value === '') return { field, says: 'must not be empty' }
  if (error?.keyword === 'format') return { field, says: `must be a ${String(error.params['format'])}` }
  const hint = error?.keyword === 'pattern' && node.description !== undefined ? `: ${node.description}` : ''
  return {
    field: field + (error?.instancePath ?? ''),
    says: `${error?.message ?? 'does not fit the contract'}${hint}`,
  }
}

function fitsType({ type }: Node, value: unknown): boolean {
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
const words = (node: Node) => either(choices(node))
function choices({ const: only, enum: some, anyOf, type = 'something else' }: Node): string[] {
  if (only !== undefined) return [JSON.stringify(only)]
  if (some) return some.map((word) => JSON.stringify(word))
  if (anyOf) return anyOf.flatMap(choices)
  if (type === 'null') return [type]
  return [type === 'integer' ? 'a whole number' : /^[aeo]/.test(type) ? `an ${type}` : `a ${type}`]
}
function either(all: readonly string[]): string {
  const values = [...new Set(all)]
  return values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')
}
