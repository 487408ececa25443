/** Whether a value fits a schema, for those who read files rather than requests: the fault names the field. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** `field` is a JSON pointer, empty for the value as a whole. */
export interface SchemaFault {
  field: string
  says: string
}
const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>()

/** The fault at the deepest place; null where the value fits. */
export function schemaFault(schema: TSchema, value: unknown): SchemaFault | null {
  let check = compiled.get(schema)
  if (!check) compiled.set(schema, (check = Compile(schema)))
  if (check.Check(value)) return null
  const errors = check.Errors(value) as unknown as { instancePath: string; message: string; params: Record<string, unknown> }[]
  const deepest = errors.reduce((a, b) => (b.instancePath.split('/').length > a.instancePath.split('/').length ? b : a))
  const [missing] = (deepest.params['requiredProperties'] as string[] | undefined) ?? []
  return missing === undefined
    ? { field: deepest.instancePath, says: deepest.message }
    : { field: `${deepest.instancePath}/${missing}`, says: 'is missing' }
}
