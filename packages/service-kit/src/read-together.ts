/**
 * Reads that meet are one read: who comes while one is under way gets the next, which begins when that one
 * ends. Nobody gets what was read before it was asked for, and under load a reading serves many.
 */
export function readTogether<T>(read: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  const begin = async () => {
    await last
    // Who comes from here on is too late for this one.
    next = undefined
    const reading = read()
    last = reading.catch(() => undefined)
    return reading
  }
  return () => (next ??= begin())
}
