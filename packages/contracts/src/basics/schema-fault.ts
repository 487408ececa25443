/**
 * Checks a value from outside against a schema, and reports the one fault that a person would fix first.
 */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { faultAt } from './schema-fault-at.ts'

/**
 * `field` is a JSON pointer, empty for the whole value; `says` completes it: 'is missing', 'must be a
 * string'.
 */
export interface SchemaFault {
  field: string
  says: string
}
const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>()

/** Null if the value fits. For a union, the fault is that of the alternative closest to the value. */
export function schemaFault(schema: TSchema, value: unknown): SchemaFault | null {
  let check = compiled.get(schema)
  if (!check) compiled.set(schema, (check = Compile(schema)))
  return check.Check(value) ? null : faultAt(schema, value, '')
}
