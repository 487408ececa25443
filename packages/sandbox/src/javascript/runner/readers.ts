/**
 * Where RESULT may stand, and which one counts. Runs beside candidate code: without builtins, which that may
 * have changed.
 */
export type Reader = { read: () => unknown; top: boolean }

/** A declaration at top level wins, then the global, then what a function or block declared last. */
export function resultOf(readers: readonly Reader[]): unknown {
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
