/** The bounds on a comparison's work. */

/** Thrown if a bound is exceeded; the comparison then ends undecided. */
export class WorkBoundPassed extends Error {}

/** Thrown within `compareAtOnce` instead. */
export class TakesLong extends Error {}

/** The remaining work for one comparison or for several. */
export interface WorkBound {
  /** Real cases take some thousands of steps. */
  left: number
}

/**
 * Steps, and characters that are compared with ids inside of texts: thousands of ids that begin alike, in a
 * long text of just that beginning, would take hours.
 */
interface WorkBounds {
  steps: number
  characters: number
  pass(): never
}
/** Some seconds. */
const usual: WorkBounds = {
  steps: 10_000_000,
  characters: 200_000_000,
  pass() {
    throw new WorkBoundPassed()
  },
}
/** Some ten milliseconds. */
const short: WorkBounds = {
  steps: 20_000,
  characters: 2_000_000,
  pass() {
    throw new TakesLong()
  },
}
let bounds = usual

export const createWorkBound = (): WorkBound => ({ left: bounds.steps })
export const getMaxComparedCharacters = () => bounds.characters
export const passBound = (): never => bounds.pass()
/** True if comparing gives up work that takes long, and not only what is undecided then. */
export const isShort = () => bounds === short

/**
 * Compares where others wait meanwhile. Throws TakesLong as soon as that takes long: compare elsewhere then,
 * from the beginning. What is done within the bounds has the same outcome.
 */
export function compareAtOnce<T>(work: () => T): T {
  bounds = short
  try {
    return work()
  } finally {
    bounds = usual
  }
}
