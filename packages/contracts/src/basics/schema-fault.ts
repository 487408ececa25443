/**
 * Checks a value from outside against a schema, and reports the one fault that a person would fix first.
 */
import type { TSchema } from 'typebox'
import { checkCompiled } from './compiled-check.ts'
import { findDeepestFault } from './schema-fault-at.ts'

/**
 * `field` is a JSON pointer, empty for the whole value; `says` completes it: 'is missing', 'must be a
 * string'.
 */
export interface SchemaFault {
  field: string
  says: string
}

/** Null if the value fits. For a union, the fault is that of the alternative closest to the value. */
export function findSchemaFault(schema: TSchema, value: unknown): SchemaFault | null {
  return checkCompiled(schema, value) ? null : findDeepestFault(schema, value, '')
}
