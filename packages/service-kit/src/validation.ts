/** Validation of external input, with messages that name the field and its valid values. */
import { type SchemaFault, findSchemaFault } from '@stateeval/contracts'
import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'

export interface SchemaChecker<T> {
  /** The fault that a person would fix first; null where the value fits. */
  fault: (value: unknown) => SchemaFault | null
  /** The value with the schema's defaults filled in. */
  complete: (value: unknown) => T
}

export function createChecker<S extends TSchema>(schema: S): SchemaChecker<Static<S>> {
  return {
    fault: (value) => findSchemaFault(schema, value),
    complete(value) {
      const defaults = findKnownDefaults(schema)
      return (defaults === null ? value : Value.Default(defaults, value)) as Static<S>
    },
  }
}

/**
 * Looked for once a schema, at first use: most schemas of a service never come to it, others with every
 * request.
 */
const defaultsBySchema = new WeakMap<TSchema, TSchema | null>()
function findKnownDefaults(schema: TSchema): TSchema | null {
  let defaults = defaultsBySchema.get(schema)
  if (defaults === undefined)
    defaultsBySchema.set(schema, (defaults = hasDefault(schema) ? selectDefaults(schema) : null))
  return defaults
}

const hasDefault = (schema: TSchema) => JSON.stringify(schema).includes('"default":')

/**
 * Selects the parts of a schema with defaults inside. Filling them in walks the whole value and tries every
 * alternative of every union on the way: 15 ms for a test case and its answer, which have no default at all.
 */
function selectDefaults(schema: TSchema): TSchema {
  if (!hasDefault(schema)) return Type.Unknown()
  if (Type.IsArray(schema)) return Type.Array(selectDefaults(schema.items), getOwnDefault(schema))
  if (!Type.IsObject(schema)) return schema
  const members = Object.entries(schema.properties).filter(([, member]) => hasDefault(member))
  return Type.Object(
    Object.fromEntries(members.map(([name, member]) => [name, selectDefaults(member)])),
    getOwnDefault(schema),
  )
}
const getOwnDefault = (schema: TSchema) => ('default' in schema ? { default: schema['default'] } : {})

/**
 * Query and path values are texts: converts those that are clearly numbers, booleans or lists to the
 * schema's types.
 */
export function convertFromText(schema: TSchema, values: Record<string, unknown>): Record<string, unknown> {
  const members = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, convert(members[name]?.type, text)]),
  )
}
function convert(type: string | undefined, text: unknown): unknown {
  if (type === 'array') return Array.isArray(text) ? text : [text]
  if (typeof text !== 'string') return text
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text))
    return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
