/** Stand-ins with only the members that a test needs. */
import type { JsonValue } from '@stateeval/contracts'

/**
 * A value of which parts may be missing, also of what its functions and promises give; what is there has the
 * whole's types.
 */
type DeepPartial<T> = JsonValue extends T
  ? T
  : T extends (...args: infer Args) => infer Result
    ? (...args: Args) => DeepPartial<Result>
    : T extends Promise<infer Value>
      ? Promise<DeepPartial<Value>>
      : T extends readonly (infer Member)[]
        ? readonly DeepPartial<Member>[]
        : T extends string | Date | Uint8Array | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? T
          : T extends Iterable<infer Member>
            ? Iterable<DeepPartial<Member>>
            : T extends object
              ? { [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
              : T

/**
 * The value, typed as the whole: a stand-in for a context, a collection, a benchmark.
 * @param value the members that the test needs; a member of a wrong type does not compile
 */
export const partial = <T>(value: DeepPartial<NoInfer<T>>): T =>
  // The test vouches that nothing reads the parts that are missing; no type can say that.
  value as unknown as T
