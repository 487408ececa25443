/**
 * A token bucket: a rate per minute, a tenth of it at once. Later callers wait for what was taken in
 * excess.
 */
interface TokenBucket {
  /** Milliseconds until so many may be taken at this share of the rate; 0 where they may be now. */
  wait(amount: number, share: number): number
  /** Takes so many, or gives back where the amount is negative. */
  take(amount: number): void
}
const minute = 60_000

export function createBucket(perMinute: number, clock: () => number): TokenBucket {
  const capacity = Math.max(1, perMinute / 10)
  let level = capacity
  let at = clock()
  const fill = (share: number) => {
    const now = clock()
    level = Math.min(capacity, level + ((now - at) * perMinute * share) / minute)
    at = now
  }
  return {
    wait(amount, share) {
      fill(share)
      // One request may be larger than the bucket: it goes when the bucket is full.
      const missing = Math.min(amount, capacity) - level
      return missing <= 1e-6 ? 0 : Math.ceil((missing * minute) / (perMinute * share))
    },
    take(amount) {
      level = Math.min(capacity, level - amount)
    },
  }
}
