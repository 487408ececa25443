/**
 * The possible locations of RESULT, and which one counts. It runs next to candidate code without builtins,
 * which that code may have changed.
 */
export type ResultReader = { read: () => unknown; top: boolean }

/** A declaration at top level wins, then the global, then the last declaration in a function or block. */
export function readResult(readers: readonly ResultReader[]): unknown {
  const declared = (top: boolean) => {
    for (let at = readers.length - 1; at >= 0; at--) {
      const value = readers[at]!.top === top ? readers[at]!.read() : undefined
      if (value !== undefined) return value
    }
    return undefined
  }
  const first = declared(true)
  if (first !== undefined) return first
  const { RESULT } = globalThis as { RESULT?: unknown }
  return RESULT === undefined ? declared(false) : RESULT
}
