/** Waits until a condition holds, also on a busy machine. This is the only polling in tests. */
export async function until<T>(
  what: () => T | Promise<T>,
  { withinMs = 90_000, everyMs = 20 } = {},
): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs
  for (;;) {
    const value = await what()
    if (value) return value
    if (Date.now() > end) throw new Error(`did not come true within ${withinMs} ms: ${String(what)}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
