/** Checks of values against schemas, compiled at their first use. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>()

/** Tells whether a value fits a schema that is checked often: compiling takes milliseconds. */
export function checkCompiled(schema: TSchema, value: unknown): boolean {
  let check = compiled.get(schema)
  if (!check) compiled.set(schema, (check = Compile(schema)))
  return check.Check(value)
}
