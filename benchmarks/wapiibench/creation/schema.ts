/**
 * Holds a value against a schema of an OpenAPI document, as an argument of a request: all types, bounds,
 * formats and alternatives of JSON Schema that specifications use, and stricter in one thing: a property that
 * no part of the schema names is a fault, unless the schema says that it may have others.
 */
import { type JsonValue, canonicalJson, isRecord } from '@stateeval/contracts'
import { isJsonEqual } from '../judge/equality.ts'
import { isNode, resolvePointer, type DocumentNode } from '@stateeval/openapi'
import { formats } from './formats.ts'
import { matchPattern } from '../specification/pattern.ts'

export type FaultKind =
  | 'missing argument'
  | 'unknown argument'
  | 'wrong type'
  | 'value not allowed'
  | 'wrong format'
/** `at` is the place, such as `config.data.tags[0]`; `says` continues from it. */
interface ValueFault {
  kind: FaultKind
  at: string
  says: string
}
interface SchemaContext {
  root: DocumentNode
  /**
   * Values are written as texts, as in a path, a header or a form: numbers and truth values are read from
   * them.
   */
  asText?: boolean
}

/**
 * Limit of the places of schemas that are checked for one value: alternatives within alternatives would take
 * for ever.
 */
const maxLooks = 20_000

export function listSchemaFaults(
  schema: unknown,
  value: JsonValue,
  at: string,
  against: SchemaContext,
): ValueFault[] {
  return checkAllSchemas([schema], value, at, { ...against, left: maxLooks })
}
interface SchemaLook extends SchemaContext {
  left: number
}

/** All schemas must fit the value at this place. */
function checkAllSchemas(
  schemas: readonly unknown[],
  value: JsonValue,
  at: string,
  look: SchemaLook,
): ValueFault[] {
  let nearest: ValueFault[] | null = null
  for (const nodes of listSchemaChoices(schemas, look)) {
    if (look.left-- <= 0) break
    const ofNodes = nodes.flatMap((node) => listOwnFaults(node, value, at, look))
    const faults = ofNodes.length > 0 ? ofNodes : listInnerFaults(nodes, schemas, value, at, look)
    if (faults.length === 0) return []
    if (nearest === null || weighFaults(faults) < weighFaults(nearest)) nearest = faults
  }
  return nearest ?? [{ kind: 'value not allowed', at, says: 'fits no alternative of its schema' }]
}
/** An alternative of another type is further away than one with other faults. */
const weighFaults = (faults: readonly ValueFault[]) =>
  faults.length + (faults.some(({ kind }) => kind === 'wrong type') ? 100 : 0)

/**
 * Every way to take one alternative of each anyOf and oneOf, with all that allOf and references add, as plain
 * nodes.
 */
function* listSchemaChoices(
  schemas: readonly unknown[],
  look: SchemaLook,
  depth = 0,
): Generator<DocumentNode[]> {
  const plain: DocumentNode[] = []
  const open = [...schemas]
  while (open.length > 0) {
    const schema: unknown = open.shift()
    if (schema === false) return
    if (!isNode(schema) || look.left-- <= 0) continue
    plain.push(schema)
    if (typeof schema['$ref'] === 'string') open.push(resolvePointer(look.root, schema['$ref']))
    if (Array.isArray(schema['allOf'])) open.push(...(schema['allOf'] as unknown[]))
  }
  const groups = plain.flatMap(({ anyOf, oneOf }) =>
    [anyOf, oneOf].flatMap((group) => (Array.isArray(group) && group.length > 0 ? [group as unknown[]] : [])),
  )
  yield* combineSchemas(plain, groups, look, depth)
}
function* combineSchemas(
  nodes: DocumentNode[],
  [first, ...rest]: readonly unknown[][],
  look: SchemaLook,
  depth: number,
): Generator<DocumentNode[]> {
  if (!first || depth > 8) {
    yield nodes
    return
  }
  for (const alternative of first) {
    if (look.left <= 0) return
    for (const more of listSchemaChoices([alternative] as unknown[], look, depth + 1))
      yield* combineSchemas([...nodes, ...more], rest, look, depth)
  }
}

const listTypes = ({ type, nullable }: DocumentNode): string[] | null => {
  const types: string[] | null = Array.isArray(type)
    ? (type as unknown[]).map(String)
    : typeof type === 'string'
      ? [type]
      : null
  return types && nullable === true ? [...types, 'null'] : types
}
const getJsonType = (value: JsonValue) =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number'
        ? Number.isInteger(value)
          ? 'integer'
          : 'number'
        : typeof value

/** A text as the type that is wanted, where it is one. */
function readAs(text: string, types: readonly string[] | null): JsonValue {
  if (!types || types.includes('string')) return text
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text))
    return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function listOwnFaults(node: DocumentNode, input: JsonValue, at: string, look: SchemaLook): ValueFault[] {
  const types = listTypes(node)
  const value = look.asText && typeof input === 'string' ? readAs(input, types) : input
  const type = getJsonType(value)
  if (types && !types.includes(type) && !(type === 'integer' && types.includes('number')))
    return [
      {
        kind: 'wrong type',
        at,
        says: `must be ${types.map(addArticle).join(' or ')}, not ${JSON.stringify(input)?.slice(0, 80)}`,
      },
    ]
  if (value === null && node['nullable'] === true) return []
  const wrong = (says: string): ValueFault[] => [{ kind: 'value not allowed', at, says }]
  const { enum: some, not } = node
  if (Array.isArray(some) && !some.some((one) => isJsonEqual(one as JsonValue, value)))
    return wrong(
      `must be one of ${some
        .map((one) => JSON.stringify(one))
        .join(', ')
        .slice(0, 500)}, not ${JSON.stringify(value)?.slice(0, 80)}`,
    )
  if ('const' in node && !isJsonEqual(node['const'] as JsonValue, value))
    return wrong(`must be ${JSON.stringify(node['const'])}`)
  if (isNode(not) && Object.keys(not).length > 0 && checkAllSchemas([not], value, at, look).length === 0)
    return wrong(`must not fit ${JSON.stringify(not).slice(0, 200)}`)
  if (typeof value === 'number') return listNumberFaults(node, value, at)
  if (typeof value === 'string') return listTextFaults(node, value, at)
  if (Array.isArray(value)) return listFaults(node, value, at)
  return []
}
const addArticle = (type: string) =>
  /^[aeio]/.test(type) ? `an ${type}` : type === 'null' ? type : `a ${type}`

function formatFault({ format }: DocumentNode, text: string, at: string): ValueFault[] {
  const rule = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined
  return rule && !rule.fits(text)
    ? [
        {
          kind: 'wrong format',
          at,
          says: `must have the format ${String(format)}, such as ${rule.example}, not ${JSON.stringify(text).slice(0, 80)}`,
        },
      ]
    : []
}

function listNumberFaults(node: DocumentNode, value: number, at: string): ValueFault[] {
  const bound = (name: string) => (typeof node[name] === 'number' ? node[name] : undefined)
  // In 3.0 these two are truth values beside minimum and maximum.
  const above = node['exclusiveMinimum'] === true ? bound('minimum') : bound('exclusiveMinimum')
  const below = node['exclusiveMaximum'] === true ? bound('maximum') : bound('exclusiveMaximum')
  const [minimum, maximum, step] = [bound('minimum'), bound('maximum'), bound('multipleOf')]
  const says =
    (minimum !== undefined && value < minimum && `must be at least ${minimum}`) ||
    (maximum !== undefined && value > maximum && `must be at most ${maximum}`) ||
    (above !== undefined && value <= above && `must be more than ${above}`) ||
    (below !== undefined && value >= below && `must be less than ${below}`) ||
    (step !== undefined &&
      step > 0 &&
      Math.abs(value / step - Math.round(value / step)) > 1e-9 &&
      `must be a multiple of ${step}`)
  return says
    ? [{ kind: 'value not allowed', at, says }]
    : Number.isInteger(value)
      ? formatFault(node, value.toFixed(0), at)
      : []
}

function listTextFaults(node: DocumentNode, value: string, at: string): ValueFault[] {
  const {
    minLength = 0,
    maxLength = Infinity,
    pattern,
  } = node as { minLength?: number; maxLength?: number; pattern?: unknown }
  const length = [...value].length
  if (length < minLength || length > maxLength) {
    const says =
      length < minLength
        ? `must have at least ${minLength} characters`
        : `must have at most ${maxLength} characters`
    return [{ kind: 'value not allowed', at, says }]
  }
  if (typeof pattern === 'string' && matchPattern(pattern, value) === false)
    return [{ kind: 'wrong format', at, says: `must match the pattern ${pattern}` }]
  return formatFault(node, value, at)
}

function listFaults(node: DocumentNode, value: readonly JsonValue[], at: string): ValueFault[] {
  const {
    minItems = 0,
    maxItems = Infinity,
    uniqueItems,
  } = node as { minItems?: number; maxItems?: number; uniqueItems?: boolean }
  const says =
    (value.length < minItems && `must have at least ${minItems} elements`) ||
    (value.length > maxItems && `must have at most ${maxItems} elements`) ||
    (uniqueItems === true &&
      new Set(value.map((one) => canonicalJson(one))).size < value.length &&
      'must not have an element twice')
  return says ? [{ kind: 'value not allowed', at, says }] : []
}

/** Faults of elements and properties. */
function listInnerFaults(
  nodes: readonly DocumentNode[],
  schemas: readonly unknown[],
  value: JsonValue,
  at: string,
  look: SchemaLook,
): ValueFault[] {
  if (Array.isArray(value))
    return value.flatMap((one, n) => {
      const of = nodes.flatMap(({ prefixItems, items }) =>
        Array.isArray(prefixItems) && n < prefixItems.length ? [prefixItems[n] as unknown] : (items ?? []),
      )
      return of.length > 0 ? checkAllSchemas(of, one, `${at}[${n}]`, look) : []
    })
  return isRecord(value) ? listMemberFaults(nodes, schemas, value, at, look) : []
}

function listMemberFaults(
  nodes: readonly DocumentNode[],
  schemas: readonly unknown[],
  value: Record<string, JsonValue>,
  at: string,
  look: SchemaLook,
): ValueFault[] {
  const names = Object.keys(value)
  const open = isOpen(nodes)
  const beside = listAlongside(schemas, look)
  const besides = (name: string) => beside.flatMap((node) => listMemberSchemas(node, name))
  const faults: ValueFault[] = []
  for (const name of new Set(
    nodes.flatMap(({ required }) => (Array.isArray(required) ? (required as string[]) : [])),
  ))
    if (!Object.hasOwn(value, name) && !nodes.some((node) => isReadOnly(getProperty(node, name), look)))
      faults.push({
        kind: 'missing argument',
        at: `${at}.${name}`,
        says: 'is missing, which the specification requires',
      })
  for (const name of names) {
    const of = nodes.flatMap((node) => listMemberSchemas(node, name))
    if (of.some((one) => isReadOnly(one, look)))
      faults.push({
        kind: 'unknown argument',
        at: `${at}.${name}`,
        says: 'is read-only: only answers have it',
      })
    else if (of.length > 0) faults.push(...checkAllSchemas(of, value[name]!, `${at}.${name}`, look))
    else if (!open && besides(name).length > 0)
      faults.push(...checkAllSchemas([{ anyOf: besides(name) }], value[name]!, `${at}.${name}`, look))
    else if (!open)
      faults.push({
        kind: 'unknown argument',
        at: `${at}.${name}`,
        says: `is unknown; available: ${listPropertyNames(nodes)}`,
      })
  }
  for (const { minProperties: minimum, maxProperties: maximum } of nodes)
    if (
      (typeof minimum === 'number' && names.length < minimum) ||
      (typeof maximum === 'number' && names.length > maximum)
    )
      faults.push({
        kind: 'value not allowed',
        at,
        says: `must have ${names.length < Number(minimum) ? `at least ${Number(minimum)}` : `at most ${Number(maximum)}`} properties`,
      })
  return faults
}
const getProperty = ({ properties }: DocumentNode, name: string): unknown =>
  isNode(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
function listMemberSchemas(node: DocumentNode, name: string): unknown[] {
  const property = getProperty(node, name)
  const { patternProperties, additionalProperties } = node
  const matching = isNode(patternProperties)
    ? Object.entries(patternProperties).flatMap(([pattern, schema]) =>
        matchPattern(pattern, name) === true ? [schema] : [],
      )
    : []
  const schemas = [...(property === undefined ? [] : [property]), ...matching]
  return schemas.length === 0 && isNode(additionalProperties) ? [additionalProperties] : schemas
}
const isReadOnly = (schema: unknown, of: Pick<SchemaContext, 'root'>, depth = 0): boolean =>
  isNode(schema) &&
  depth < 20 &&
  (schema['readOnly'] === true ||
    (typeof schema['$ref'] === 'string' &&
      isReadOnly(resolvePointer(of.root, schema['$ref']), of, depth + 1)))
/** All alternatives of anyOf: a value may fit several of them, and have the properties of each. */
function listAlongside(schemas: readonly unknown[], look: SchemaLook, depth = 0): DocumentNode[] {
  return schemas.flatMap((schema) => {
    if (!isNode(schema) || depth > 20 || look.left-- <= 0) return []
    const { $ref, allOf, anyOf } = schema
    const more = [allOf, anyOf].flatMap((group) => (Array.isArray(group) ? (group as unknown[]) : []))
    return [
      schema,
      ...listAlongside(
        [...(typeof $ref === 'string' ? [resolvePointer(look.root, $ref)] : []), ...more],
        look,
        depth + 1,
      ),
    ]
  })
}
/** An object of which nothing is said may have any property. */
const isOpen = (nodes: readonly DocumentNode[]) =>
  nodes.some(({ additionalProperties }) => additionalProperties === true) ||
  !nodes.some(
    ({ properties, patternProperties, additionalProperties }) =>
      isNode(properties) || isNode(patternProperties) || additionalProperties !== undefined,
  )
const listPropertyNames = (nodes: readonly DocumentNode[]) =>
  [...new Set(nodes.flatMap(({ properties }) => (isNode(properties) ? Object.keys(properties) : [])))]
    .join(', ')
    .slice(0, 300) || 'none'
