/**
 * Objects whose names the contract does not list. Type.Record is unsuitable: it writes a pattern for names,
 * and JSON Schema checks nothing for names that match no pattern. Even `^.*$` does not match names with a
 * line break.
 */
import Type, { type Static, type TSchema, type TSchemaOptions, type TString, type TUnsafe } from 'typebox'

interface RecordSchemaOptions extends TSchemaOptions {
  description?: string
  maxProperties?: number
  /** Pattern of the names; any text by default. */
  names?: TString
}

/** An object in which every name matches `names` and every value matches `value`. */
export const defineRecord = <T extends TSchema>(
  value: T,
  { names, ...options }: RecordSchemaOptions = {},
): TUnsafe<Record<string, Static<T>>> =>
  Type.Unsafe<Record<string, Static<T>>>(
    Type.Object({}, { ...options, ...(names && { propertyNames: names }), additionalProperties: value }),
  )

/** The record's own member. `record[name]` also finds inherited ones, such as `constructor`. */
export const getOwnMember = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
