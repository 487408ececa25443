/** Milliseconds between looks by default; what takes long is looked at less often, as each look costs. */
const [first, longest, growth] = [20, 250, 1.3]

/** Waits until a condition holds, also on a busy machine. This is the only polling in tests. */
export async function until<T>(
  what: () => T | Promise<T>,
  { withinMs = 90_000, everyMs }: { withinMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs
  for (let pause = everyMs ?? first; ; pause = everyMs ?? Math.min(pause * growth, longest)) {
    const value = await what()
    if (value) return value
    if (Date.now() > end) throw new Error(`did not come true within ${withinMs} ms: ${String(what)}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
