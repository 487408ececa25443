/**
 * Concurrent reads share one read. A request during a read gets the next one, which begins when that read
 * ends. No caller gets data read before its request, and under load one read serves many.
 */
export function readTogether<T>(read: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  const begin = async () => {
    await last
    // Later callers wait for the next read.
    next = undefined
    const reading = read()
    last = reading.catch(() => undefined)
    return reading
  }
  return () => (next ??= begin())
}
