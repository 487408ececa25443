/** The rate of a job and the time left, from its recent progress. */

/** Older moments say nothing of the pace of now, in milliseconds. */
const memoryMs = 120_000
/** A pace that is measured over less is a guess, in milliseconds. */
const leastMs = 2000

export interface WorkPace {
  perMinute: number
  /** Until all is done; null where nothing was done lately. */
  leftMs: number | null
}

/** Takes the progress from time to time, and returns the pace; null while too little is known. */
export function createPace(clock: () => number = () => performance.now()) {
  let moments: { at: number; done: number }[] = []
  let phase: string | undefined
  return (now: { done: number; total: number; phase: string }): WorkPace | null => {
    const at = clock()
    // Another phase has other items.
    if (now.phase !== phase) moments = []
    phase = now.phase
    // The pace is that between the first moment that is remembered and now.
    while (moments.length > 1 && at - moments[1]!.at > memoryMs) moments.shift()
    moments.push({ at, done: now.done })
    const [first] = moments as [{ at: number; done: number }]
    const took = at - first.at
    if (took < leastMs) return null
    const perMs = (now.done - first.done) / took
    return { perMinute: perMs * 60_000, leftMs: perMs > 0 ? (now.total - now.done) / perMs : null }
  }
}

/** `45 s`, `12 min`, `3 h 20 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
