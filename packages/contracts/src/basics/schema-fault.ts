/**
 * Whether a value from outside fits a schema, and if it doesn't, the one thing that a person would fix first.
 */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { faultAt } from './schema-fault-at.ts'

/**
 * `field` is a JSON pointer, empty for the value as a whole; `says` goes on from it: 'is missing', 'must be a
 * string'.
 */
export interface SchemaFault {
  field: string
  says: string
}
const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>()

/**
 * Null where the value fits. Of a union, the fault is that of the alternative which the value comes nearest
 * to.
 */
export function schemaFault(schema: TSchema, value: unknown): SchemaFault | null {
  let check = compiled.get(schema)
  if (!check) compiled.set(schema, (check = Compile(schema)))
  return check.Check(value) ? null : faultAt(schema, value, '')
}
