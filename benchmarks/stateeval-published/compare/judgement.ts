/**
 * The result of a comparison: whether RESULT and state are the truth's, what differs, and whether comparing
 * itself raised.
 */
export type ValueComparison =
  | { same: true }
  | { same: false; says: string }
  /**
   * The released comparison raises here: `evaluator` where nothing catches it, which is then counted as a
   * syntax error.
   */
  | { same: false; says: string; raises: 'comparison' | 'evaluator' }

export const same: ValueComparison = { same: true }
export const createDifference = (says: string): ValueComparison => ({ same: false, says })
export const createRaise = (by: 'comparison' | 'evaluator', says: string): ValueComparison => ({
  same: false,
  says,
  raises: by,
})
/** Compares by a flag; the sentence is made only where the values differ. */
export const createComparison = (isSame: boolean, says: () => string): ValueComparison =>
  isSame ? same : createDifference(says())
