/** Schemas of a document as far as inference reads them: their properties, with all parts joined. */
import { isRecord } from '@stateeval/contracts'
import { type DocumentNode, isNode, type SpecificationDocument } from '@stateeval/openapi'

export interface FlatSchema {
  /** The name under which the document keeps it. */
  name?: string
  type?: string
  properties: ReadonlyMap<string, unknown>
  required: ReadonlySet<string>
  items?: unknown
  enum?: readonly unknown[]
  format?: string
  description?: string
  default?: unknown
  example?: unknown
  isReadOnly: boolean
  /** Members beyond the properties are allowed by name. */
  isOpen: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}
export type FlattenSchema = (schema: unknown) => FlatSchema

const emptySchema: FlatSchema = {
  properties: new Map(),
  required: new Set(),
  isReadOnly: false,
  isOpen: false,
}
/** Limit of joined properties of all schemas: parts that each refer twice to the next would be millions. */
const maxParts = 500_000
const deepest = 12
const mostVariants = 8

/**
 * A function that joins a schema with all that it consists of; alternatives are joined as well. Each schema
 * is read once. A reference to nothing is an empty schema, and so is one that contains itself.
 */
export function createFlattener({ resolve }: SpecificationDocument): FlattenSchema {
  const known = new WeakMap<object, FlatSchema>()
  let left = maxParts
  const follow = (schema: unknown): { node: DocumentNode; name?: string } | null => {
    if (!isNode(schema)) return null
    const reference = schema['$ref']
    try {
      const node = resolve(schema, '')
      return typeof reference === 'string' ? { node, name: reference.split('/').at(-1)! } : { node }
    } catch {
      return null
    }
  }
  const flatten = (schema: unknown, depth: number): FlatSchema => {
    const found = follow(schema)
    if (!found || depth > deepest || left < 0) return emptySchema
    const { node, name } = found
    const cached = known.get(node)
    if (cached) return name === undefined || cached.name === name ? cached : { ...cached, name }
    known.set(node, emptySchema)
    const flat = join(node, depth)
    if (name !== undefined) flat.name = name
    known.set(node, flat)
    return flat
  }
  const join = (node: DocumentNode, depth: number): FlatSchema => {
    const list = (key: string) => (Array.isArray(node[key]) ? (node[key] as unknown[]) : [])
    const all = list('allOf')
    const variants = [...list('oneOf').slice(0, mostVariants), ...list('anyOf').slice(0, mostVariants)]
    const parts = [...all, ...variants].map((part) => flatten(part, depth + 1))
    const own = isRecord(node['properties']) ? Object.entries(node['properties']) : []
    const properties = new Map<string, unknown>(own)
    left -= 1 + own.length
    for (const part of parts)
      for (const [key, value] of part.properties) {
        if (!properties.has(key)) properties.set(key, value)
        left--
      }
    const required = new Set(list('required').filter((key) => typeof key === 'string'))
    for (const part of parts.slice(0, all.length)) for (const key of part.required) required.add(key)
    const type = Array.isArray(node['type'])
      ? (node['type'] as unknown[]).find((one) => one !== 'null')
      : node['type']
    const first = <Key extends keyof FlatSchema>(key: Key) =>
      parts.find((part) => part[key] !== undefined)?.[key]
    const items = node['items'] ?? first('items')
    const typeName = typeof type === 'string' ? type : first('type')
    const text = (key: string) => (typeof node[key] === 'string' ? { [key]: node[key] } : {})
    const number = (key: string) => (typeof node[key] === 'number' ? { [key]: node[key] } : {})
    const more = node['additionalProperties']
    const values = Array.isArray(node['enum']) ? (node['enum'] as unknown[]) : first('enum')
    const only = parts.length === 1 ? parts[0]!.name : undefined
    const shownType = typeName ?? (properties.size > 0 ? 'object' : items === undefined ? undefined : 'array')
    return {
      ...(only !== undefined && { name: only }),
      ...(shownType !== undefined && { type: shownType }),
      properties,
      required,
      ...(items !== undefined && { items }),
      ...(values && { enum: values }),
      ...text('format'),
      ...text('description'),
      ...(node['default'] !== undefined && { default: node['default'] }),
      ...(node['example'] !== undefined && { example: node['example'] }),
      isReadOnly: node['readOnly'] === true,
      isOpen: (more !== undefined && more !== false) || parts.some(({ isOpen }) => isOpen),
      ...number('minimum'),
      ...number('maximum'),
      ...number('minLength'),
      ...number('maxLength'),
    }
  }
  return (schema) => flatten(schema, 0)
}

/** The properties of a member; empty where it has none. */
export const flattenProperty = (
  flatten: FlattenSchema,
  { properties }: FlatSchema,
  name: string,
): FlatSchema => flatten(properties.get(name))
