/** Checks a value from outside against a schema. */
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'

/** What is wrong with a value, each problem naming the place as a JSON pointer; empty if it fits. */
export const schemaProblems = (schema: TSchema, value: unknown): string[] =>
  Check(schema, value) ? [] : Errors(schema, value).map(({ instancePath, message }) => `${instancePath || '/'}: ${message}`)
