/**
 * Effort of work: its CPU time compared with that of a loop which runs beside it, so neither a slow nor a
 * busy machine counts. Checks are retried: a real fault recurs every time.
 */
import { patience } from './patience.ts'

/** CPU time of this process so far, in milliseconds, with what its threads did. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function loop(): number {
  let last = 0
  for (let n = 0; n < 7_000_000; n++) last = (Math.imul(last, 48_271) + n) | 0
  return last
}
/**
 * The unit of effort in milliseconds, a tenth of the loop: about one on a usual machine. It is the least of
 * several: one that the host slowed down would hide the effort of what comes after it.
 */
function measureUnit(): number {
  let least = Infinity
  for (let tries = 0; tries < 5; tries++) {
    const before = cpuMs()
    loop()
    least = Math.min(least, cpuMs() - before)
  }
  return least / 10
}
let unitMs = 0
/** Measures the unit again where the effort exceeds the limit. */
function toEffort(ms: number, limit: number): number {
  if (!(ms / unitMs <= limit)) unitMs = measureUnit()
  return ms / unitMs
}

/** A busy host can slow a process down several times for a while: so often, or for so long, work is tried. */
const [minTries, maxTries, usualMs] = [3, 20, 10_000]
function* listTries(maxMs: number): Generator<number> {
  const due = performance.now() + patience(maxMs)
  for (let tries = 0; tries < maxTries; tries++) {
    if (tries >= minTries && performance.now() > due) return
    yield tries
  }
}

/** The least effort of work. It is retried only while it exceeds `limit`, for `maxMs` or a few times. */
export function leastEffort(work: () => unknown, limit: number, maxMs = usualMs): number {
  let least = Infinity
  for (const _ of listTries(maxMs)) {
    const before = cpuMs()
    work()
    least = Math.min(least, toEffort(cpuMs() - before, limit))
    if (least <= limit) break
  }
  return least
}

/**
 * The most effort between two turns of the event loop while work goes on, at the best try. It is retried
 * only while it exceeds `limit`, for `maxMs` or a few times.
 */
export async function longestTurn(
  work: () => Promise<unknown>,
  limit: number,
  maxMs = usualMs,
): Promise<number> {
  let least = Infinity
  for (const _ of listTries(maxMs)) {
    let before = cpuMs()
    let longest = 0
    const turn = () => {
      const now = cpuMs()
      longest = Math.max(longest, now - before)
      before = now
    }
    const heart = setInterval(turn, 2)
    await work().finally(() => clearInterval(heart))
    turn()
    least = Math.min(least, toEffort(longest, limit))
    if (least <= limit) break
  }
  return least
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
