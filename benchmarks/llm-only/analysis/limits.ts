/**
 * Bounds of the analysis: programs that models write are hostile, and the same one must give the same answer
 * at every moment.
 */

/** The program takes more work to follow than any within the constraints. */
export class TooMuch extends Error {}

const maxSteps = 200_000
/** Below what the stack holds. */
const maxDepth = 300

/** Counts the nodes that are visited on all paths together, and how deep visits are nested. */
export class AnalysisEffort {
  private steps = 0
  private depth = 0

  /** Runs one visit. Throws TooMuch where a bound is passed. */
  visit<T>(work: () => T): T {
    if (++this.steps > maxSteps || this.depth >= maxDepth) throw new TooMuch()
    this.depth++
    try {
      return work()
    } finally {
      this.depth--
    }
  }
}
