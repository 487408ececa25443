import { isRecord } from './is-record.ts'

/** Any JSON value. `undefined`, functions and cycles never cross process boundaries. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

/**
 * A type whose values are JSON, however it is declared: TypeScript itself takes neither interfaces nor
 * readonly lists for `Json`. Functions, dates, maps, symbols and bigints become `never`; an `unknown` member
 * is what a schema leaves open.
 */
type JsonLike<T> = T extends JsonValue | undefined
  ? T
  : unknown extends T
    ? T
    : T extends bigint | symbol | ((...args: never[]) => unknown) | { toJSON: unknown } | Iterable<unknown>
      ? T extends readonly (infer Member)[]
        ? readonly JsonLike<Member>[]
        : never
      : { [Key in keyof T]: JsonLike<T[Key]> }

/** The same value as JSON; the compiler checks that its type is valid JSON. */
export const toJson = <T extends object | string | number | boolean | null>(
  value: JsonLike<T> & T,
): JsonValue => value as JsonValue

/**
 * The maximum depth of RESULT, and of arguments and replies of calls: deeper values overflow recursive
 * readers and MongoDB.
 */
export const maxDepth = 64

/**
 * Writes JSON as String() does, also objects for which that fails: those with members named toString and
 * valueOf.
 */
export const formatAsText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((one: unknown) => (one === null ? '' : formatAsText(one))).join()
    : isRecord(value)
      ? '[object Object]'
      : String(value)
