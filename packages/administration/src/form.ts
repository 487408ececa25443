/** The forms of stored values, for documents from outside. */
import { findDeepMember, findInfiniteNumber, findSchemaFault, type SchemaFault } from '@stateeval/contracts'
import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'

export const closedObject = { additionalProperties: false } as const
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Moment = Type.String({ format: 'date-time' })
export const defineRange = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })

/** A fault of a document: `field` is a JSON pointer into its content. */
export class DocumentFault extends Error {
  readonly field: string
  constructor(field: string, says: string) {
    super(says)
    this.field = field
  }
}
/** A document that belongs to nothing in the project. */
export class StrayDocument extends Error {}

export function throwDocumentFault(field: string, says: string): never {
  throw new DocumentFault(field, says)
}

/** The names of all members, in whatever alternative of a union. */
type NamesOf<T> = T extends unknown ? keyof T : never

/**
 * The schema of a stored type: what fits it has that type, and it knows every member of the type, so that
 * nothing that a service stores is refused.
 */
export const formOf =
  <T>() =>
  <S extends TSchema>(
    schema: Static<S> extends T ? (NamesOf<T> extends NamesOf<Static<S>> ? S : never) : never,
  ): TUnsafe<T> =>
    Type.Unsafe<T>(schema)

/** The value in the form; throws a fault that names the field. */
export function requireForm<S extends TSchema>(form: S, value: unknown, field = ''): Static<S> {
  const found = findSchemaFault(form, value)
  if (found) throwDocumentFault(`${field}${found.field}`, found.says)
  return value as Static<S>
}

/** The value of JSON text; or why it has none that this service can hold. */
export function readJson(text: string): { value: unknown } | SchemaFault {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { field: '', says: 'is not JSON' }
  }
  const deep = findDeepMember(value)
  if (deep !== null) return { field: deep, says: 'is nested too deeply' }
  const infinite = findInfiniteNumber(value)
  return infinite === null ? { value } : { field: infinite, says: 'is too large a number' }
}
