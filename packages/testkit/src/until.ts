import { measureAgain, patience } from './patience.ts'

/** Milliseconds between looks by default; what takes long is looked at less often, as each look costs. */
const [first, longest, growth] = [20, 250, 1.3]

/**
 * Waits until a condition holds. This is the only polling in tests. The limit is for what hangs; a slow
 * machine has a longer one, also one that has become slow meanwhile.
 */
export async function until<T>(
  what: () => T | Promise<T>,
  { withinMs = 120_000, everyMs }: { withinMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  const began = performance.now()
  const isLate = () => performance.now() - began > patience(withinMs)
  for (let pause = everyMs ?? first; ; pause = everyMs ?? Math.min(pause * growth, longest)) {
    const value = await what()
    if (value) return value
    if (isLate()) await measureAgain()
    if (isLate()) throw new Error(`did not come true within ${patience(withinMs)} ms: ${String(what)}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
