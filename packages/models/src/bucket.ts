/**
 * A token bucket: so many a minute, a tenth of that at once. What was taken too much is waited for by those
 * who come later.
 */
interface Bucket {
  /** Milliseconds until so many may be taken at this share of the rate; 0 where they may be now. */
  wait(amount: number, share: number): number
  /** Takes so many, or gives back where the amount is negative. */
  take(amount: number): void
}
const minute = 60_000

export function createBucket(perMinute: number, clock: () => number): Bucket {
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
