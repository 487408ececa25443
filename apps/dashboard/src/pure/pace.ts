/** The rate of work, from observations of the last minute. */

export interface SeenProgress {
  /** Milliseconds of some clock. */
  at: number
  done: number
  phase: string
}
export interface ProgressPace {
  /** Items a second. */
  rate: number
  /** Milliseconds until `total`, at this rate. */
  left: number
}

const windowMs = 60_000

/** The observations to keep: of one phase, from the last minute, with one before it. */
export function addSeen(seen: readonly SeenProgress[], now: SeenProgress): SeenProgress[] {
  const last = seen.at(-1)
  if (last && (last.phase !== now.phase || last.done > now.done)) return [now]
  const recent = seen.filter(
    ({ at }, n) => at >= now.at - windowMs || (seen[n + 1] ?? now).at >= now.at - windowMs,
  )
  return [...recent, now]
}

/** Returns null if there are too few observations. */
export function computePace(seen: readonly SeenProgress[], total: number): ProgressPace | null {
  const [first, last] = [seen[0], seen.at(-1)]
  if (!first || !last || last.at <= first.at || last.done <= first.done) return null
  const rate = ((last.done - first.done) * 1000) / (last.at - first.at)
  return { rate, left: (Math.max(0, total - last.done) / rate) * 1000 }
}
