/** Validation of what comes from outside, with messages that name the field and say what it should be. */
import { type SchemaFault, schemaFault } from '@stateeval/contracts'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'

export interface Checker<T> {
  /** The fault that a person would fix first; null where the value fits. */
  fault: (value: unknown) => SchemaFault | null
  /** The value with the schema's defaults filled in. */
  complete: (value: unknown) => T
}

export const checker = <S extends TSchema>(schema: S): Checker<Static<S>> => ({
  fault: (value) => schemaFault(schema, value),
  complete: (value) => Value.Default(schema, value) as Static<S>,
})

/** Query and path values are texts: turns those that are clearly numbers, booleans or lists into what the schema wants. */
export function fromText(schema: TSchema, values: Record<string, unknown>): Record<string, unknown> {
  const members = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, convert(members[name]?.type, text)]))
}
function convert(type: string | undefined, text: unknown): unknown {
  if (type === 'array') return Array.isArray(text) ? text : [text]
  if (typeof text !== 'string') return text
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
