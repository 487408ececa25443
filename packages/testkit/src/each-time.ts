/** Retries checks that depend on the machine's load: a real fault recurs every time. */

/** CPU time of work, in milliseconds, including other work of the process meanwhile. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * A busy host can make a process several times slower for a while: so often, or for so long, slow work is
 * tried again.
 */
const [maxTries, maxSpentMs] = [20, 10_000]

/** The least CPU time of work, in milliseconds. It is retried only while it exceeds `limitMs`. */
export function leastCpuMs(work: () => unknown, limitMs: number): number {
  let leastMs = Infinity
  for (let tries = 0, spentMs = 0; leastMs > limitMs && tries < maxTries; tries++) {
    if (tries > 0 && spentMs >= maxSpentMs) break
    const tookMs = cpuMs(work)
    spentMs += tookMs
    leastMs = Math.min(leastMs, tookMs)
  }
  return leastMs
}

/** Resolves when one of several consecutive attempts succeeds; rejects with the last failure. */
export async function oneOf(attempts: number, attempt: (n: number) => Promise<void>): Promise<void> {
  for (let n = 1; ; n++)
    try {
      return await attempt(n)
    } catch (error) {
      if (n >= attempts) throw error
    }
}
