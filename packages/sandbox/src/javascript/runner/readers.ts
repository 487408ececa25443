/** Where RESULT may stand, and which one counts. */
export type Reader = { read: () => unknown; top: boolean }

/** A declaration at top level wins, then the global, then what a function or block declared last. */
export function resultOf(readers: readonly Reader[]): unknown {
  const declared = (top: boolean) => readers.filter((reader) => reader.top === top).reverse()
  for (const { read } of [...declared(true), { read: () => (globalThis as { RESULT?: unknown }).RESULT }, ...declared(false)]) {
    const value = read()
    if (value !== undefined) return value
  }
  return undefined
}
